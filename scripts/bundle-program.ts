import { cpSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'

/**
 * The program in few files (`dist/program/`), beside the modules it is made of: most of what a process does at its start
 * is to find and load hundreds of them. Packages stay where npm put them, but for zod, which has a hundred modules.
 */
const entries = ['src/cli/main.ts', 'src/reading/threads/thread.ts', 'src/parse/document-thread.ts']
const bundledPackages = ['zod']

/** Modules that start a thread look for it beside themselves, which is where the bundle has it. */
const startsThread = /reading-thread\.ts$|document-reader\.ts$/

export async function bundleProgram(root: string, dist: string): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  await build({
    entryPoints: entries.map((entry) => join(root, entry)),
    entryNames: '[name]',
    outdir: join(dist, 'program'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: packages.filter((name) => !bundledPackages.includes(name)).flatMap((name) => [name, `${name}/*`]),
    plugins: [modulesKnowTheirPlace(root)],
    logLevel: 'warning',
  })
  for (const name of bundledPackages)
    cpSync(join(root, 'node_modules', name, 'LICENSE'), join(dist, 'program', `LICENSE.${name}`))
}

/** What a module reads from beside itself lies beside its own file below `dist/src/`. */
function modulesKnowTheirPlace(root: string): Plugin {
  return {
    name: 'modules-know-their-place',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (startsThread.test(path)) return undefined
        const source = readFileSync(path, 'utf8')
        if (!source.includes('import.meta.url')) return undefined
        const place = `../${relative(root, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`
        return {
          contents: source.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`),
          loader: 'ts',
        }
      })
    },
  }
}
