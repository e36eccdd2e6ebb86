import * as z from 'zod'

const partitionCount = z.int().min(1).max(10_000)

export const kafkaConfig = z.strictObject({
  brokers: z
    .array(z.string())
    .default([])
    .describe('Kafka brokers as `host:port`, some of them are enough. Empty: Kafka is not used.'),
  tls: z.boolean().default(false).describe('Connect by TLS.'),
  caFile: z.string().default('').describe('Certificates to trust, PEM, in place of those that the system trusts.'),
  certificateFile: z.string().default('').describe('Our own certificate, PEM, where brokers know clients by it.'),
  keyFile: z.string().default('').describe('The private key of `certificateFile`, PEM.'),
  saslMechanism: z
    .enum(['none', 'PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    .default('none')
    .describe('How to log in to the brokers.'),
  user: z.string().default('').describe('User name for SASL.'),
  password: z.string().default('').describe('Password. Better from the environment or `passwordFile` than in a file.'),
  passwordFile: z.string().default('').describe('File that holds the password.'),
  prefix: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{1,80}$/, 'must consist of letters, digits, `.`, `_` and `-`, at most 80 of them')
    .default('orbweaver')
    .describe('First part of every topic and consumer group, so that several fleets can share an engine.'),
  partitions: z
    .strictObject({
      high: partitionCount.default(10).describe('Partitions of the topic of URLs of high priority.'),
      medium: partitionCount.default(20).describe('Partitions of the topic of URLs of medium priority.'),
      low: partitionCount
        .default(40)
        .describe('Partitions of the topic of URLs of low priority; no more workers than these can own hosts.'),
      pages: partitionCount.default(40).describe('Partitions of the topic of fetched pages: so many parsers at most.'),
    })
    .prefault({})
    .describe('Partitions of topics that are created; a topic that is there already is used as it is.'),
  replicationFactor: z
    .int()
    .min(0)
    .default(0)
    .describe('Brokers that keep a copy of each topic that is created. 0: as the brokers are set up.'),
  sessionTimeoutMs: z
    .int()
    .min(1000)
    .default(10_000)
    .describe('A worker that Kafka has not heard of for so long loses its partitions to the others.'),
  keepHandled: z
    .int()
    .min(0)
    .default(100_000)
    .describe('Messages of each partition that stay after they were handled; older ones are deleted. 0: all stay.'),
  plentyUrls: z
    .int()
    .min(0)
    .default(1_000_000)
    .describe('While so many URLs are queued and hosts to visit are easily found, further URLs wait in Kafka.'),
  patienceMs: z
    .int()
    .min(0)
    .default(300_000)
    .describe('How long Kafka may be away before a crawl that needs it gives up.'),
})

export type KafkaConfig = z.infer<typeof kafkaConfig>
