import type { Language } from '../languages.ts'

/** Human text about one subject matter: every page is one of `things` seen under one of `aspects`. */
export interface Topic {
  readonly language: Language
  readonly home: { readonly title: string; readonly text: readonly string[] }
  /** Name and what is special about it. */
  readonly things: readonly (readonly [name: string, note: string])[]
  /** `{thing}` is its name, `{number}` some number, in titles and sentences. */
  readonly aspects: readonly { readonly title: string; readonly sentences: readonly string[] }[]
  readonly remarks: readonly string[]
}
