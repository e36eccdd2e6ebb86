import * as z from 'zod'

export const s3Config = z.strictObject({
  endpoint: z
    .string()
    .nullable()
    .default(null)
    .describe('Address of a service that speaks S3: `https://[key:secret@]host:port`. null: Amazon S3 itself.'),
  region: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  bucket: z.string().default('').describe('Bucket that holds the archive; it must exist. Empty: S3 is not used.'),
  prefix: z
    .string()
    .regex(/^[^/].*\/$|^$/, 'must be empty or end with a slash, and not begin with one')
    .default('orbweaver/')
    .describe('First part of every key, with a slash at its end, so that several fleets can share a bucket.'),
  accessKeyId: z
    .string()
    .default('')
    .describe('Access key. Without one the usual sources of AWS are asked: environment, profile, role of the machine.'),
  accessKeyIdFile: z.string().default('').describe('File that holds the access key.'),
  secretAccessKey: z
    .string()
    .default('')
    .describe('Secret of the access key. Better from the environment or `secretAccessKeyFile` than in a file.'),
  secretAccessKeyFile: z.string().default('').describe('File that holds the secret of the access key.'),
  sessionToken: z.string().default('').describe('Token that goes with temporary keys.'),
  forcePathStyle: z
    .boolean()
    .default(false)
    .describe('Name the bucket in the path and not in the host name, as most services other than Amazon want it.'),
  caFile: z.string().default('').describe('Certificates to trust, PEM, in place of those that the system trusts.'),
  composeBy: z
    .enum(['copy', 'upload'])
    .default('copy')
    .describe(
      'How a finished segment is put together: `copy` inside S3, or `upload` again in parts of equal size, for services that cannot copy parts (Google) or want equal ones (Cloudflare R2).',
    ),
  timeoutMs: z
    .int()
    .min(100)
    .default(15_000)
    .describe('A request over whose connection nothing has come for so long is repeated.'),
  patienceMs: z
    .int()
    .min(0)
    .default(600_000)
    .describe('How long S3 may be away before a crawl stops. Meanwhile requests are repeated and the crawl waits.'),
  spoolMib: z
    .number()
    .min(0)
    .max(16 * 1024)
    .default(64)
    .describe('Archived bytes in MiB, beyond `store.archiveBufferMib`, that may wait in memory while S3 is away.'),
})

export type S3Config = z.infer<typeof s3Config>
