/** The engines that tests can be given, in the order in which they are started and shown. */
export const engineNames = ['redis', 'redis-cluster', 'kafka', 's3', 'opensearch'] as const

export type EngineName = (typeof engineNames)[number]

export const isEngineName = (text: string): text is EngineName => (engineNames as readonly string[]).includes(text)

/** How an engine is called where people read it, and the variable that tells tests where it is. */
export const engineTitles: Readonly<Record<EngineName, { readonly title: string; readonly variable: string }>> = {
  redis: { title: 'Redis', variable: 'ORBWEAVER_TEST_REDIS_URL' },
  'redis-cluster': { title: 'Redis Cluster', variable: 'ORBWEAVER_TEST_REDIS_CLUSTER' },
  kafka: { title: 'Kafka', variable: 'ORBWEAVER_TEST_KAFKA_BROKERS' },
  s3: { title: 'S3', variable: 'ORBWEAVER_TEST_S3_URL' },
  opensearch: { title: 'OpenSearch', variable: 'ORBWEAVER_TEST_OPENSEARCH_URL' },
}

/** Holds, for an engine that could not be started, the sentence that says why. */
export const missingVariable = (name: EngineName) => `ORBWEAVER_TEST_MISSING_${name.toUpperCase().replace('-', '_')}`
