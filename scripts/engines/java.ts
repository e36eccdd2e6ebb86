import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EngineMissing } from './engine-missing.ts'
import { findProgram, isExecutable } from './tool.ts'

export interface Java {
  readonly home: string
  /** As it names itself, `25.0.1`. */
  readonly version: string
}

const usualHomes = [
  '/usr/lib/jvm/*',
  '/usr/local/*jdk*',
  '/opt/*jdk*',
  '/Library/Java/JavaVirtualMachines/*/Contents/Home',
]

/** JAVA_HOME, the one on the PATH, then the others of the machine: the first that is a JDK and new enough. */
export function findJdk(title: string, minimumMajor: number): Java {
  const onPath = findProgram(['java'])
  const homes = [
    ...(process.env.JAVA_HOME ? [process.env.JAVA_HOME] : []),
    ...(onPath === undefined ? [] : [dirname(dirname(realpathSync(onPath)))]),
    ...usualHomes.flatMap((pattern) => globSync(pattern)).sort(),
  ]
  const javas = homes.flatMap(readJava)
  const fitting = javas.find(({ version }) => majorOf(version) >= minimumMajor)
  if (fitting !== undefined) return fitting
  throw new EngineMissing(missingJdk(title, minimumMajor, javas))
}

export function missingJdk(title: string, minimumMajor: number, javas: readonly Java[]): string {
  const found = [...new Set(javas.map(({ version }) => version))].join(', ')
  return `${title}: ${found === '' ? 'no JDK found' : `found only JDK ${found}`} (needs ${minimumMajor} or newer, in JAVA_HOME, on the PATH or in /usr/lib/jvm)`
}

/** `17.0.15` → 17, and `1.8.0` → 8, as it was written once. */
export function majorOf(version: string): number {
  const [first, second] = version.split(/[._+-]/).map(Number)
  return first === 1 ? (second ?? 0) : (first ?? 0)
}

function readJava(home: string): Java[] {
  const release = join(home, 'release')
  if (!existsSync(release) || !isExecutable(join(home, 'bin', 'javac'))) return []
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(release, 'utf8'))?.[1]
  return version === undefined ? [] : [{ home, version }]
}
