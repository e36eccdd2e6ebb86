/** Just enough C++ to read tests that are lists of texts and expectations. */

export type Token =
  | { readonly kind: 'text'; readonly bytes: Buffer }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'mark'; readonly mark: string }

const PIECE = /\/\/[^\n]*|\s+|"((?:[^"\\]|\\.)*)"|([\w:.&]+)|(.)/gsu

/** Neighbouring texts are one, as in C. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  for (const [whole, text, word, mark] of source.matchAll(PIECE)) {
    if (text !== undefined) addText(tokens, bytesOf(text))
    else if (word !== undefined) tokens.push({ kind: 'word', word })
    else if (mark !== undefined && !whole.startsWith('//')) tokens.push({ kind: 'mark', mark })
  }
  return tokens
}

function addText(tokens: Token[], bytes: Buffer): void {
  const last = tokens.at(-1)
  if (last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', bytes: Buffer.concat([last.bytes, bytes]) }
  else tokens.push({ kind: 'text', bytes })
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' }

function bytesOf(literal: string): Buffer {
  const parts = literal.matchAll(/\\x([0-9a-fA-F]+)|\\(.)|([^\\]+)/gsu)
  return Buffer.concat(
    [...parts].map(([, hex, escaped, plain]) => {
      if (hex !== undefined) return Buffer.from([Number.parseInt(hex, 16)])
      return Buffer.from(plain ?? ESCAPED[escaped!] ?? escaped!)
    }),
  )
}

/** The statements of a function, in order; blocks in it are not told apart. */
export function statementsOf(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'mark' && ';{}'.includes(token.mark)) statements.push([])
    else statements.at(-1)!.push(token)
  }
  return statements.filter((statement) => statement.length > 0)
}

/** The bodies of all `TEST(suite, name)`. */
export function testsOf(source: string): { readonly name: string; readonly body: string }[] {
  return [...source.matchAll(/^TEST\(\w+, (\w+)\) \{\n(.*?)^\}/gmsu)].map(([, name, body]) => ({
    name: name!,
    body: body!,
  }))
}
