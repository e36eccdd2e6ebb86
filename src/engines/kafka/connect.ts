import { readFileSync } from 'node:fs'
import { Admin, type BaseOptions, Consumer, type GroupOptions, Producer, stringSerializers } from '@platformatic/kafka'
import { UsageError } from '../../config/usage-error.ts'
import type { KafkaConfig } from './config.ts'
import { listenToConnections } from './connection-errors.ts'
import { kafkaFault } from './faults.ts'

export type TextProducer = Producer<string, string, string, string>
export type ReaderOptions = GroupOptions & { readonly groupId: string; readonly isolationLevel?: number }

/** The brokers, asked once and found to be there. Makes clients, of which each has connections of its own. */
export interface Kafka extends AsyncDisposable {
  readonly config: KafkaConfig
  readonly admin: Admin
  producer(): TextProducer
  consumer(options: ReaderOptions): Consumer
}

/** Connects and asks once, so that a wrong setting shows at once and in one sentence. */
export async function connectKafka(config: KafkaConfig): Promise<Kafka> {
  listenToConnections()
  const options = clientOptions(config)
  // Repeating is ours (`patience.ts`): the library would commit old offsets under a new membership.
  const admin = new Admin({ ...options, retries: 0 })
  try {
    await admin.metadata({ topics: [] })
  } catch (error) {
    await admin.close()
    throw new UsageError(kafkaSentence(config, error), { cause: error })
  }
  return {
    config,
    admin,
    producer: () => new Producer({ ...options, retries: 0, serializers: stringSerializers }),
    consumer: (reader) => new Consumer({ ...options, retries: 0, ...reader }),
    [Symbol.asyncDispose]: async () => void (await admin.close()),
  }
}

export function kafkaSentence({ brokers }: KafkaConfig, error: unknown): string {
  return `Kafka at ${brokers.join(', ')} cannot be used: ${kafkaFault(error)}.`
}

function clientOptions(config: KafkaConfig): BaseOptions {
  const { brokers, prefix, sessionTimeoutMs } = config
  if (brokers.length === 0) throw new UsageError('No Kafka is named: set engines.kafka.brokers.')
  const tls = tlsOptions(config)
  const sasl = saslOptions(config)
  return {
    clientId: prefix,
    bootstrapBrokers: brokers.map(hostAndPort),
    connectTimeout: 5000,
    // Joining a group takes as long as its slowest member may be silent.
    requestTimeout: sessionTimeoutMs + 10_000,
    ...(tls ? { tls } : {}),
    ...(sasl ? { sasl } : {}),
  }
}

function tlsOptions({ tls, caFile, certificateFile, keyFile }: KafkaConfig) {
  if (!tls && caFile === '' && certificateFile === '') return undefined
  return {
    ...(caFile === '' ? {} : { ca: fileNamed('caFile', caFile) }),
    ...(certificateFile === '' ? {} : { cert: fileNamed('certificateFile', certificateFile) }),
    ...(keyFile === '' ? {} : { key: fileNamed('keyFile', keyFile) }),
  }
}

function saslOptions({ saslMechanism: mechanism, user: username, password, passwordFile }: KafkaConfig) {
  if (mechanism === 'none') return undefined
  const secret = passwordFile === '' ? password : fileNamed('passwordFile', passwordFile).toString().trim()
  return { mechanism, username, password: secret }
}

function fileNamed(setting: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`engines.kafka.${setting}: ${(error as Error).message}.`, { cause: error })
  }
}

function hostAndPort(text: string): { host: string; port: number } {
  const url = URL.parse(`kafka://${text}`)
  if (!url?.hostname) throw new UsageError(`"${text}" is no host and port of a Kafka broker.`)
  return { host: url.hostname, port: Number(url.port || 9092) }
}
