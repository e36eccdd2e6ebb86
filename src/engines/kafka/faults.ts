import { GenericError } from '@platformatic/kafka'
import { certificateFault } from '../certificate-fault.ts'
import type { KafkaConfig } from './config.ts'

/**
 * Kafka's faults in our words, and which of them pass by themselves. The library wraps errors in errors, as causes and as
 * lists: what matters may lie anywhere inside.
 */
export function mayPass(error: unknown): boolean {
  return error instanceof Error && GenericError.isGenericError(error) && refusalOf(error) === undefined
}

/** One clause for people, without the end of the sentence. */
export function kafkaFault(error: unknown): string {
  const inside = [...within(error)]
  const innermost = inside.at(-1)?.message ?? String(error)
  const isNetwork = inside.some(isOfNetwork)
  const untrusted = certificateFault({ message: innermost }, 'engines.kafka.caFile')
  if (untrusted) return untrusted
  return refusalOf(error) ?? (isNetwork ? `no broker answers (${withoutStop(innermost)})` : withoutStop(innermost))
}

/** What a broker may want that breaks off the first connection without a word; `undefined`: it gave a reason. */
export function silentRefusal(error: unknown, config: KafkaConfig): string | undefined {
  const words = kafkaFault(error)
  if (words.includes('before secure TLS')) return 'it does not speak TLS (engines.kafka.tls, .caFile, .certificateFile)'
  if (!words.includes('Connection closed')) return undefined
  const logIn = config.saslMechanism === 'none' ? 'a log-in (engines.kafka.saslMechanism)' : ''
  const secured = speaksTls(config)
    ? 'a certificate of ours (engines.kafka.certificateFile, .keyFile)'
    : 'TLS (engines.kafka.tls, .caFile)'
  return `it broke the connection off: it may want ${[secured, logIn].filter(Boolean).join(' or ')}`
}

export const speaksTls = ({ tls, caFile, certificateFile }: KafkaConfig): boolean =>
  tls || caFile !== '' || certificateFile !== ''

export function hasApiId(error: unknown, apiId: string): boolean {
  return [...within(error)].some((one) => 'apiId' in one && one.apiId === apiId)
}

const ofRebalance = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'MEMBER_ID_REQUIRED']

/** A group is being shared out anew, as it is whenever somebody comes or goes: the brokers are well. */
export function isOfRebalance(error: unknown): boolean {
  return ofRebalance.some((apiId) => hasApiId(error, apiId))
}

/** Answers that no patience changes: somebody has to set something else. */
const refusals: readonly (readonly [apiId: string, words: string])[] = [
  ['SASL_AUTHENTICATION_FAILED', 'it refuses user or password (engines.kafka.user, .password)'],
  ['UNSUPPORTED_SASL_MECHANISM', 'it does not know this way to log in (engines.kafka.saslMechanism)'],
  ['ILLEGAL_SASL_STATE', 'it does not expect a log-in here (engines.kafka.saslMechanism)'],
  ['TOPIC_AUTHORIZATION_FAILED', 'the user may not use its topics (allow READ, WRITE, CREATE, DESCRIBE on the prefix)'],
  ['GROUP_AUTHORIZATION_FAILED', 'the user may not join its consumer group (allow READ on groups with the prefix)'],
  ['CLUSTER_AUTHORIZATION_FAILED', 'the user may not do this to the cluster (allow CREATE, or create the topics)'],
  ['INVALID_REPLICATION_FACTOR', 'it has fewer brokers than engines.kafka.replicationFactor asks for'],
  ['INVALID_SESSION_TIMEOUT', 'it does not allow engines.kafka.sessionTimeoutMs (group.min.session.timeout.ms)'],
  ['MESSAGE_TOO_LARGE', 'a message is larger than it takes (max.message.bytes)'],
]

function refusalOf(error: unknown): string | undefined {
  const apiIds = new Set([...within(error)].map((one) => 'apiId' in one && one.apiId))
  const refusal = refusals.find(([apiId]) => apiIds.has(apiId))
  return refusal?.[1] ?? ([...within(error)].some(isLogInRefused) ? 'it refuses user or password' : undefined)
}

/** A log-in also fails, by the library's words, when the connection breaks meanwhile. */
function isLogInRefused(error: Error): boolean {
  return 'code' in error && error.code === 'PLT_KFK_AUTHENTICATION' && ![...within(error)].some(isOfNetwork)
}

const isOfNetwork = (error: Error) => 'code' in error && error.code === 'PLT_KFK_NETWORK'

/** The error and all that it wraps, outermost first. */
function* within(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 10) return
  yield error
  yield* within(error.cause, depth + 1)
  if (error instanceof AggregateError) for (const inner of error.errors) yield* within(inner, depth + 1)
}

const withoutStop = (words: string) => words.replace(/\.$/, '')
