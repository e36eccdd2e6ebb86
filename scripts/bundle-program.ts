import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { withConstants } from './bundled-constants.ts'

/**
 * The program in few files (`dist/program/`), beside the modules it is made of: most of what a process does at its start
 * is to find and load hundreds of them. Packages stay where npm put them, but for those that every crawl loads.
 */
const entries = ['src/cli/main.ts', 'src/reading/threads/thread.ts', 'src/parse/document-thread.ts']
const bundledPackages = ['zod', 'tldts', 'xxhash-wasm']

/** Modules that start a thread look for it beside themselves, which is where the bundle has it. */
const startsThread = /reading-thread\.ts$|document-reader\.ts$/

export async function bundleProgram(root: string, dist: string): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  const options: BuildOptions = {
    absWorkingDir: root,
    entryPoints: entries,
    entryNames: '[name]',
    outdir: join(dist, 'program'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node24',
    external: packages.filter((name) => !bundledPackages.includes(name)).flatMap((name) => [name, `${name}/*`]),
    logLevel: 'warning',
  }
  const joined = modulesForFewFiles(root, await loadedByCommands(options))
  const { outputFiles } = await build({ ...options, plugins: [joined], write: false })
  mkdirSync(join(dist, 'program'), { recursive: true })
  for (const { path, text } of outputFiles) writeFileSync(path, await withConstants(text))
  for (const name of bundledPackages)
    for (const licence of globSync('LICENSE*', { cwd: join(root, 'node_modules', name) }))
      cpSync(join(root, 'node_modules', name, licence), join(dist, 'program', `LICENSE.${name}`))
}

/** The command that all others are loaded with. */
const core = 'src/cli/commands/crawl.ts'

/** The commands, and what they load when they need it. */
async function loadedByCommands(options: BuildOptions): Promise<ReadonlySet<string>> {
  const { metafile } = await build({ ...options, write: false, metafile: true })
  const loading = Object.entries(metafile.inputs).filter(
    ([path]) => path.startsWith('src/cli/') && path !== 'src/cli/main.ts',
  )
  const imports = loading.flatMap(([, { imports }]) => imports)
  return new Set(imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path))
}

/**
 * What is imported when it is needed is an entry of its own, and esbuild makes a file for each set of entries that share
 * something: a crawl would load 60 of them. When all that commands load import the core, they share it whole.
 *
 * What a module reads from beside itself lies beside its own file below `dist/src/`.
 */
function modulesForFewFiles(root: string, withCore: ReadonlySet<string>): Plugin {
  return {
    name: 'modules-for-few-files',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const name = relative(root, path).replaceAll('\\', '/')
        let contents = readFileSync(path, 'utf8')
        if (withCore.has(name)) contents = `import ${JSON.stringify(join(root, core))}\n${contents}`
        if (!startsThread.test(path)) {
          const place = `../${name.replace(/\.ts$/, '.js')}`
          contents = contents.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
        }
        return { contents, loader: 'ts' }
      })
    },
  }
}
