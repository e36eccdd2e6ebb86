import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Report } from './cache.ts'
import { EngineMissing } from './engine-missing.ts'
import { findProgram, runTool } from './tool.ts'

/** Brings the libraries (`group:artifact:version`) with all that they need into `folder/lib`. */
export async function bringLibraries(
  title: string,
  libraries: readonly string[],
  folder: string,
  report: Report,
): Promise<void> {
  const maven = findProgram(['mvn'])
  if (maven === undefined) throw new EngineMissing(`${title}: no Maven found (the command mvn brings its libraries)`)
  report(`${title}: bringing it from Maven Central (once; about a minute)`)
  await writeFile(join(folder, 'pom.xml'), pom(libraries))
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'lib')}`, '-DincludeScope=runtime']
  await runTool(title, maven, ['-B', '-q', '-f', join(folder, 'pom.xml'), ...goal])
}

/** All jars by name: a class archive of Java does not work with wildcards, nor with another order. */
export const classPath = (folder: string) =>
  globSync(join(folder, 'lib', '*.jar'))
    .sort()
    .join(':')

function pom(libraries: readonly string[]): string {
  const dependencies = libraries.map((library) => {
    const [group, artifact, version] = library.split(':')
    return `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  })
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>orbweaver</groupId>
  <artifactId>engine</artifactId>
  <version>1</version>
  <dependencies>
${dependencies.join('\n')}
  </dependencies>
</project>
`
}
