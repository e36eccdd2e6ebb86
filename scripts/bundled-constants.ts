import { transform } from 'esbuild'

const DECLARED = /^var (?=([\w$]+) = )/gm

/**
 * esbuild makes each `const` of a module a `var`. What such a one holds, a number or a table, V8 has to look up and check
 * wherever it is used; of a constant it knows it when it compiles. So those that nothing is assigned to are constants again.
 */
export async function withConstants(bundle: string): Promise<string> {
  const { warnings } = await transform(bundle.replaceAll(DECLARED, 'const '), { format: 'esm', logLevel: 'silent' })
  const assigned = new Set(
    warnings.filter(({ id }) => id === 'assign-to-constant').map(({ text }) => /"(.+)"/.exec(text)?.[1]),
  )
  return bundle.replaceAll(DECLARED, (declared, name) => (assigned.has(name) ? declared : 'const '))
}
