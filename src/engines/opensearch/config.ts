import * as z from 'zod'

export const openSearchConfig = z.strictObject({
  urls: z
    .array(z.string())
    .default([])
    .describe('OpenSearch (2 or newer) or Elasticsearch (8 or newer): `https://host:9200`, one or several nodes.'),
  user: z.string().default('').describe('User name, where the engine asks for one.'),
  password: z.string().default('').describe('Password. Better from the environment or `passwordFile` than in a file.'),
  passwordFile: z.string().default('').describe('File that holds the password.'),
  apiKey: z
    .string()
    .default('')
    .describe('API key as the engine gave it (base64). Takes the place of user and password.'),
  apiKeyFile: z.string().default('').describe('File that holds the API key.'),
  caFile: z.string().default('').describe('Certificates to trust, PEM, in place of those that the system trusts.'),
  prefix: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'must be lower-case letters, digits, - and _, beginning with a letter or digit',
    )
    .default('orbweaver')
    .describe('First part of the name of every index, so that several fleets can share an engine.'),
  shards: z
    .int()
    .min(1)
    .max(1024)
    .default(1)
    .describe('Parts of each index of a crawl, fixed when the crawl begins. One is good for some ten million pages.'),
  replicas: z.int().min(0).max(10).default(1).describe('Copies of each part on other nodes.'),
  patienceMs: z
    .int()
    .min(0)
    .default(600_000)
    .describe('How long a crawl waits for an engine that is away or overloaded before it stops.'),
})

export type OpenSearchConfig = z.infer<typeof openSearchConfig>
