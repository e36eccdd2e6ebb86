import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, type Report, silently } from './cache.ts'
import { classArchive } from './class-archive.ts'
import { freePorts } from './free-ports.ts'
import { findJdk, type Java } from './java.ts'
import { answersKafka } from './kafka-ready.ts'
import { bringLibraries, classPath } from './maven.ts'
import { homeOf, launch, type Place, type RunningEngine } from './running-engine.ts'
import { runTool } from './tool.ts'

const version = '4.3.1'
const libraries = [
  `org.apache.kafka:kafka_2.13:${version}`,
  `org.apache.kafka:kafka-tools:${version}`,
  'org.slf4j:slf4j-simple:1.7.36',
]
const name = `kafka-${version}`
const clusterId = 'orbweaverTestClusterId'
const quickJvm = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

interface Kafka {
  readonly java: Java
  readonly classPath: string
  /** A data folder as `kafka-storage format` makes it: copying is quicker than a Java for each broker. */
  readonly formatted: string
}

export interface KafkaOptions extends Place {
  /** Further lines of server.properties. */
  readonly settings?: readonly string[]
}

/** One Kafka broker, its own controller (KRaft), without replication. Topics are not made by mentioning them. */
export async function startKafka(options: KafkaOptions = {}, report: Report = silently): Promise<RunningEngine> {
  const kafka = await getKafka(report)
  const jvmOptions = await classArchive(name, kafka.java, (place, training) => {
    report('Kafka: a first start, to make the next ones faster')
    return startBroker(kafka, place, training)
  })
  return startBroker(kafka, options, jvmOptions)
}

async function getKafka(report: Report): Promise<Kafka> {
  const java = findJdk('Kafka', 17)
  const folder = await cached(name, (unfinished) => bringLibraries('Kafka', libraries, unfinished, report))
  const jars = classPath(folder)
  const formatted = await cached(`${name}-formatted`, (unfinished) => format(java, jars, unfinished))
  return { java, classPath: jars, formatted: join(formatted, 'data') }
}

async function format(java: Java, jars: string, folder: string): Promise<void> {
  const settings = join(folder, 'server.properties')
  await writeFile(settings, properties([9092, 9093], join(folder, 'data'), []))
  const tool = ['-cp', jars, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', settings]
  await runTool('Kafka', join(java.home, 'bin', 'java'), ['-Xmx128m', ...quickJvm, ...tool])
}

async function startBroker(kafka: Kafka, options: KafkaOptions, jvmOptions: readonly string[]): Promise<RunningEngine> {
  const home = await homeOf(options, 'kafka')
  const [port, controllerPort] = await freePorts(2)
  const ports = [options.port ?? port!, controllerPort!] as const
  const data = join(home.folder, 'data')
  if (!existsSync(data)) {
    await mkdir(data)
    await cp(kafka.formatted, data, { recursive: true })
  }
  const settings = join(home.folder, 'server.properties')
  await writeFile(settings, properties(ports, data, options.settings ?? []))
  return launch({
    title: 'Kafka',
    url: `127.0.0.1:${ports[0]}`,
    program: join(kafka.java.home, 'bin', 'java'),
    arguments: [
      ...['-Xms64m', '-Xmx384m', ...quickJvm, ...jvmOptions],
      ...['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', kafka.classPath, 'kafka.Kafka', settings],
    ],
    home,
    isReady: () => answersKafka(ports[0]),
  })
}

function properties(
  [port, controllerPort]: readonly [number, number],
  data: string,
  further: readonly string[],
): string {
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    `log.dirs=${data}`,
    'auto.create.topics.enable=false',
    'group.initial.rebalance.delay.ms=0',
    // A broker that was killed is let in again when its old session has ended, by default after nine seconds.
    'broker.session.timeout.ms=3000',
    'broker.heartbeat.interval.ms=500',
    // One broker keeps one copy; four partitions, where the usual fifty would be fifty folders to open at a start.
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=4',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'transaction.state.log.num.partitions=4',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'log.cleaner.dedupe.buffer.size=8388608',
    ...further,
    '',
  ].join('\n')
}
