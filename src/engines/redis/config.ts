import { z } from 'zod'

export const redisConfig = z.strictObject({
  url: z
    .string()
    .nullable()
    .default(null)
    .describe('Redis or Valkey: `redis://[user:password@]host:port/db`, `rediss://` for TLS. null: not used.'),
  cluster: z
    .array(z.string())
    .default([])
    .describe('Nodes of a Cluster as `host:port`, some of them are enough. Takes the place of `url`.'),
  sentinels: z
    .array(z.string())
    .default([])
    .describe('Sentinels as `host:port`; the master they name takes the place of `url`.'),
  sentinelMaster: z.string().default('mymaster').describe('The name under which the Sentinels know the master.'),
  user: z.string().default('').describe('User name, where the engine knows users.'),
  password: z.string().default('').describe('Password. Better from the environment or `passwordFile` than in a file.'),
  passwordFile: z.string().default('').describe('File that holds the password.'),
  tls: z.boolean().default(false).describe('Connect by TLS (also to Cluster nodes and Sentinels).'),
  caFile: z.string().default('').describe('Certificates to trust, PEM, in place of those that the system trusts.'),
  prefix: z
    .string()
    .regex(/^[^{}]*$/, 'must not contain braces')
    .default('orbweaver')
    .describe('First part of every key, so that several fleets can share an engine.'),
  shards: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .describe('Parts into which a fleet is cut, each in one slot of a Cluster. Fixed when the fleet is first used.'),
})

export type RedisConfig = z.infer<typeof redisConfig>
