import { findErrorBy } from '@platformatic/kafka'

/**
 * Kafka's faults in our words, and which of them pass by themselves. The library wraps errors in errors: what matters is
 * found somewhere inside.
 */
export function mayPass(error: unknown): boolean {
  return !isRefusal(error)
}

/** One clause for people, without the end of the sentence. */
export function kafkaFault(error: unknown): string {
  if (hasCode(error, 'PLT_KFK_AUTHENTICATION')) return 'it refuses user or password (engines.kafka.user, .password)'
  const refusal = refusals.find(([apiId]) => hasApiId(error, apiId))
  if (refusal) return refusal[1]
  if (hasCode(error, 'PLT_KFK_NETWORK')) return `no broker answers (${innermost(error).message})`
  return innermost(error).message
}

export const hasApiId = (error: unknown, apiId: string) => has(error, 'apiId', apiId)

const hasCode = (error: unknown, code: string) => has(error, 'code', code)

const has = (error: unknown, property: string, value: string) =>
  error instanceof Error && findErrorBy(error, property, value) !== null

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

function isRefusal(error: unknown): boolean {
  return hasCode(error, 'PLT_KFK_AUTHENTICATION') || refusals.some(([apiId]) => hasApiId(error, apiId))
}

function innermost(error: unknown): Error {
  let inner = error instanceof Error ? error : new Error(String(error))
  for (let depth = 0; depth < 10; depth++) {
    const next = inner instanceof AggregateError && inner.errors.length > 0 ? inner.errors.at(-1) : inner.cause
    if (!(next instanceof Error)) break
    inner = next
  }
  return inner
}
