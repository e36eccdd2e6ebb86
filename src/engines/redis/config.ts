import * as z from 'zod'

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
  sentinelUser: z.string().default('').describe('User name for the Sentinels themselves, where they know users.'),
  sentinelPassword: z.string().default('').describe('Password of the Sentinels themselves, where they want one.'),
  sentinelPasswordFile: z.string().default('').describe('File that holds the password of the Sentinels.'),
  user: z.string().default('').describe('User name, where the engine knows users.'),
  password: z.string().default('').describe('Password. Better from the environment or `passwordFile` than in a file.'),
  passwordFile: z.string().default('').describe('File that holds the password.'),
  tls: z.boolean().default(false).describe('Connect by TLS (also to Cluster nodes and Sentinels).'),
  caFile: z.string().default('').describe('Certificates to trust, PEM, in place of those that the system trusts.'),
  certificateFile: z.string().default('').describe('Our own certificate, PEM, where the engine knows clients by it.'),
  keyFile: z.string().default('').describe('The private key of `certificateFile`, PEM.'),
  timeoutMs: z
    .int()
    .min(100)
    .default(10_000)
    .describe('A request over whose connection nothing has come for so long is repeated over a new one.'),
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
