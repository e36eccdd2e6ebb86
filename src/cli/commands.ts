import type { Command } from './command.ts'

/** In the order of help: crawl, look, take away, check. Each is loaded when it is asked for. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  crawl: async () => (await import('./commands/crawl.ts')).crawl,
  resume: async () => (await import('./commands/resume.ts')).resume,
  status: async () => (await import('./commands/status.ts')).status,
  why: async () => (await import('./commands/why.ts')).why,
  hosts: async () => (await import('./commands/hosts.ts')).hosts,
  top: async () => (await import('./commands/top.ts')).top,
  search: async () => (await import('./commands/search.ts')).search,
  show: async () => (await import('./commands/show.ts')).show,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  dead: async () => (await import('./commands/dead.ts')).dead,
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  robots: async () => (await import('./commands/robots.ts')).robots,
  normalize: async () => (await import('./commands/normalize.ts')).normalize,
  demo: async () => (await import('./commands/demo.ts')).demo,
  worker: async () => (await import('./commands/worker.ts')).worker,
  stop: async () => (await import('./commands/stop.ts')).stop,
  serve: async () => (await import('./commands/serve.ts')).serve,
  reindex: async () => (await import('./commands/reindex.ts')).reindex,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  bench: async () => (await import('./commands/bench.ts')).bench,
}

export const commandNames: readonly string[] = Object.keys(loaders)

export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]!() : undefined
}

export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()))
}
