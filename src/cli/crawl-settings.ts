import type { Invocation } from './command.ts'

export function sourcesOf({ given }: Invocation) {
  return { file: given.config as string | undefined, environment: process.env }
}
