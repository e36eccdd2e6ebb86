import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The dashboard's files by name, made from `app/`: script and style sheet in one file each, with nothing to load from elsewhere. */
export async function bundleDashboard(): Promise<Map<string, Uint8Array>> {
  const app = new URL('./app/', import.meta.url)
  const { outputFiles } = await build({
    entryPoints: ['main.tsx', 'style/main.css'].map((name) => ({ in: fileURLToPath(new URL(name, app)), out: 'app' })),
    outdir: fileURLToPath(app),
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    banner: { js: '/* Contains Preact, © 2015-present Jason Miller, under the MIT licence. */' },
    logLevel: 'silent',
  })
  const files = new Map<string, Uint8Array>()
  for (const { path, contents } of outputFiles) files.set(path.endsWith('.css') ? 'app.css' : 'app.js', contents)
  for (const name of ['index.html', 'icon.svg']) files.set(name, readFileSync(new URL(name, app)))
  return files
}
