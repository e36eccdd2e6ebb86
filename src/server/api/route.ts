import type * as z from 'zod'
import type { Role } from './schemas/session.ts'

/** An operation of the API, as data: server, document and client are made of it. */
export interface Route {
  /** Which part of the API it belongs to. */
  readonly tag: string
  readonly summary: string
  /** Who may; null: everybody, also without a token. */
  readonly role: Role | null
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** What it answers; `text`: plain text; `nothing`: 204. */
  readonly answer: z.ZodType | Lines | 'text' | 'nothing'
  /** When all is well: 200 unless it says otherwise. */
  readonly status?: 200 | 201 | 204
  /** The same for all who ask within a second. */
  readonly shared?: true
  /** Statuses of problems that belong to this operation, beside those that any may have. */
  readonly problems?: readonly number[]
}

/** One JSON value a line, as many as there are: they are sent as they are read, and none waits for the last. */
export interface Lines {
  readonly lines: z.ZodType
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Given<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** What a handler gets: everything checked. */
export interface InputOf<R extends Route> {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
}

/** What a caller gives: only what the operation takes, defaults left out. */
export type RequestOf<R extends Route> = (R['params'] extends z.ZodType ? { params: Given<R['params']> } : object) &
  (R['query'] extends z.ZodType ? QueryOf<Given<R['query']>> : object) &
  (R['body'] extends z.ZodType ? { body: Given<R['body']> } : object)

type QueryOf<Query> = Partial<Query> extends Query ? { query?: Query } : { query: Query }

export type AnswerOf<R extends Route> = R['answer'] extends z.ZodType
  ? z.output<R['answer']>
  : R['answer'] extends { readonly lines: infer Line extends z.ZodType }
    ? AsyncIterable<z.output<Line>>
    : R['answer'] extends 'text'
      ? string
      : undefined
