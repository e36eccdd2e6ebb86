import { Admin, type BaseOptions, Consumer, type GroupOptions, Producer, stringSerializers } from '@platformatic/kafka'
import { UsageError } from '../../config/usage-error.ts'
import { withoutSecrets } from '../address.ts'
import { certificatesOf, contentOf, secretOf } from '../setting-files.ts'
import type { KafkaConfig } from './config.ts'
import { listenToConnections } from './connection-errors.ts'
import { kafkaFault, silentRefusal, speaksTls } from './faults.ts'

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
  await askOnce(config, options)
  // Repeating is ours (`patience.ts`): the library would commit old offsets under a new membership.
  const admin = new Admin({ ...options, retries: 0 })
  return {
    config,
    admin,
    producer: () => new Producer({ ...options, retries: 0, serializers: stringSerializers }),
    consumer: (reader) => new Consumer({ ...options, retries: 0, ...reader }),
    [Symbol.asyncDispose]: async () => void (await admin.close()),
  }
}

/** By a client of its own: nobody waits as long to learn that a setting is wrong as a group may take to join. */
async function askOnce(config: KafkaConfig, options: BaseOptions): Promise<void> {
  const admin = new Admin({ ...options, retries: 0, requestTimeout: firstAnswerMs })
  try {
    await admin.metadata({ topics: [] })
  } catch (error) {
    throw new UsageError(sentence(config, silentRefusal(error, config) ?? kafkaFault(error)), { cause: error })
  } finally {
    await admin.close()
  }
}

const firstAnswerMs = 5000

export const kafkaSentence = (config: KafkaConfig, error: unknown): string => sentence(config, kafkaFault(error))

const sentence = ({ brokers }: KafkaConfig, clause: string) =>
  `Kafka at ${brokers.join(', ')} cannot be used: ${clause}.`

function clientOptions(config: KafkaConfig): BaseOptions {
  const { brokers, prefix, sessionTimeoutMs } = config
  if (brokers.length === 0) throw new UsageError('No Kafka is named: set engines.kafka.brokers.')
  const tls = tlsOptions(config)
  const sasl = saslOptions(config)
  return {
    clientId: prefix,
    bootstrapBrokers: brokers.map(hostAndPort),
    connectTimeout: firstAnswerMs,
    // Joining a group takes as long as its slowest member may be silent.
    requestTimeout: sessionTimeoutMs + 10_000,
    ...(tls ? { tls } : {}),
    ...(sasl ? { sasl } : {}),
  }
}

function tlsOptions(config: KafkaConfig) {
  if (!speaksTls(config)) return undefined
  const { caFile, certificateFile, keyFile } = config
  return {
    ...(caFile === '' ? {} : { ca: certificatesOf('engines.kafka.caFile', caFile) }),
    ...(certificateFile === '' ? {} : { cert: certificatesOf('engines.kafka.certificateFile', certificateFile) }),
    ...(keyFile === '' ? {} : { key: contentOf('engines.kafka.keyFile', keyFile) }),
  }
}

function saslOptions({ saslMechanism: mechanism, user: username, password, passwordFile }: KafkaConfig) {
  if (mechanism === 'none') return undefined
  return { mechanism, username, password: secretOf(password, 'engines.kafka.passwordFile', passwordFile) }
}

function hostAndPort(text: string): { host: string; port: number } {
  const url = URL.parse(`kafka://${text}`)
  if (!url?.hostname) throw new UsageError(`"${withoutSecrets(text)}" is no host and port of a Kafka broker.`)
  return { host: url.hostname, port: Number(url.port || 9092) }
}
