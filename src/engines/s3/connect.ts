import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  type S3ServiceException,
} from '@aws-sdk/client-s3'
import { type Clock, systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { decoded, withoutSecrets } from '../address.ts'
import { certificatesOf, secretOf } from '../setting-files.ts'
import type { S3Config } from './config.ts'
import { faultOf, reasonOf } from './fault.ts'
import { type Patience, sentence } from './patience.ts'

/** Nobody waits long to learn that a setting is wrong. */
const FIRST_ANSWER_MS = 5000

/** A bucket, with the keys that open it. */
export interface S3Connection extends Disposable {
  readonly client: S3Client
  readonly bucket: string
  /** First part of every key. */
  readonly prefix: string
  readonly patience: Patience
  readonly composeBy: S3Config['composeBy']
}

/**
 * Connects and asks once for what will be needed, so that a wrong setting shows at once and in one sentence. `write`
 * leaves nothing behind.
 */
export async function connectS3(
  config: S3Config,
  access: 'read' | 'write' = 'write',
  clock: Clock = systemClock(),
): Promise<S3Connection> {
  const connection = s3Connection(config, clock)
  try {
    await checkReadable(connection)
    if (access === 'write') await checkWritable(connection)
    return connection
  } catch (error) {
    connection[Symbol.dispose]()
    throw error
  }
}

/** Without asking whether anybody is there. */
export function s3Connection(config: S3Config, clock: Clock): S3Connection {
  const { bucket, prefix, patienceMs, composeBy } = config
  if (bucket === '') throw new UsageError('No bucket is named: set engines.s3.bucket.')
  const client = new S3Client(clientOptions(config))
  return {
    ...{ client, bucket, prefix, composeBy },
    patience: { clock, patienceMs, place: placeOf(config) },
    [Symbol.dispose]: () => client.destroy(),
  }
}

/** For people: without secrets. */
export const placeOf = ({ endpoint, bucket }: S3Config): string =>
  endpoint === null ? `S3 bucket ${bucket}` : `S3 bucket ${bucket} at ${withoutSecrets(endpoint)}`

function clientOptions(config: S3Config): S3ClientConfig {
  const endpoint = endpointOf(config)
  const credentials = credentialsOf(config, endpoint)
  return {
    region: config.region,
    ...(endpoint ? { endpoint: endpoint.origin + endpoint.pathname } : {}),
    ...(credentials ? { credentials } : {}),
    forcePathStyle: config.forcePathStyle,
    // Repetition is ours: it knows how long S3 has been away.
    maxAttempts: 1,
    // The signature covers the body already, and not every service knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(5000, config.timeoutMs),
      socketTimeout: config.timeoutMs,
      ...(config.caFile === ''
        ? {}
        : { httpsAgent: new Agent({ keepAlive: true, ca: certificatesOf('engines.s3.caFile', config.caFile) }) }),
    },
  }
}

function endpointOf({ endpoint }: S3Config): URL | undefined {
  if (endpoint === null) return undefined
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `"${withoutSecrets(endpoint)}" is no address of S3: engines.s3.endpoint must be http(s)://host:port.`,
    )
  return url
}

/** `undefined`: whatever AWS's own chain finds. */
function credentialsOf(config: S3Config, endpoint: URL | undefined) {
  const { accessKeyIdFile, secretAccessKeyFile, sessionToken } = config
  const inEndpoint = (part: 'username' | 'password') => decoded('engines.s3.endpoint', endpoint?.[part] ?? '')
  const accessKeyId =
    secretOf(config.accessKeyId, 'engines.s3.accessKeyIdFile', accessKeyIdFile) || inEndpoint('username')
  const secretAccessKey =
    secretOf(config.secretAccessKey, 'engines.s3.secretAccessKeyFile', secretAccessKeyFile) || inEndpoint('password')
  if (accessKeyId === '' && secretAccessKey === '') return undefined
  if (accessKeyId === '' || secretAccessKey === '')
    throw new UsageError('S3 needs both engines.s3.accessKeyId and engines.s3.secretAccessKey, or neither.')
  return { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) }
}

/** Lists, since the answer to a mere look at the bucket has no room for a reason. */
async function checkReadable({ client, bucket, prefix, patience: { place } }: S3Connection): Promise<void> {
  try {
    const asked = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })
    await client.send(asked, { abortSignal: AbortSignal.timeout(FIRST_ANSWER_MS) })
  } catch (error) {
    throw new UsageError(settingFault(error, place) ?? sentence(faultOf(error), place, error), { cause: error })
  }
}

/** Faults that show only when a connection is first used. */
function settingFault(error: unknown, place: string): string | undefined {
  const { name, code, $metadata, $response } = error as Partial<S3ServiceException> & { readonly code?: string }
  if (name === 'AbortError') return `${place} cannot be used: no answer within ${FIRST_ANSWER_MS / 1000} s.`
  if ($metadata?.httpStatusCode === 301) return `${place} lies in another region: correct engines.s3.region.`
  if (name === 'RequestTimeTooSkewed')
    return `${place} refuses what this machine asks, whose clock is ${skewOf($response?.headers.date)}: set it by NTP.`
  if (code === 'ECONNRESET' && !place.includes('https://'))
    return `${place} broke the connection off: it may want https:// in engines.s3.endpoint.`
  return undefined
}

function skewOf(theirs: string | undefined): string {
  const minutes = Math.round((Date.now() - Date.parse(theirs ?? '')) / 60_000)
  if (!minutes) return 'wrong'
  return `${Math.abs(minutes)} minutes ${minutes > 0 ? 'ahead of' : 'behind'} its own`
}

async function checkWritable({ client, bucket, prefix, patience: { place } }: S3Connection): Promise<void> {
  const object = { Bucket: bucket, Key: `${prefix}check-${randomUUID()}` }
  let may = 'be written'
  try {
    await client.send(new PutObjectCommand({ ...object, Body: Buffer.from('May this be written?') }))
    may = 'have objects deleted'
    await client.send(new DeleteObjectCommand(object))
  } catch (error) {
    throw new UsageError(`${place} can be read but cannot ${may} with this access key: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}
