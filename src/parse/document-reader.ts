import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ParseConfig } from './config.ts'
import type { DocumentLimits, DocumentText } from './document-text.ts'

export type DocumentKind = 'pdf' | 'office'

export interface DocumentOrder {
  readonly id: number
  readonly kind: DocumentKind
  readonly bytes: Uint8Array
  readonly limits: DocumentLimits
}

export interface DocumentAnswer {
  readonly id: number
  readonly document?: DocumentText
  readonly fault?: string
}

type DocumentConfig = Pick<ParseConfig, 'maxDocumentMs' | 'maxDocumentPages' | 'maxDocumentMemoryMb' | 'maxTextBytes'>

const threadModule = new URL(`./document-thread${extname(import.meta.url)}`, import.meta.url)
const flags = process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}

/**
 * Reads documents that are no pages of the web in a thread of its own, one after the other: a hostile file costs at most
 * its limits of time and memory, after which the thread is ended and the next file gets a new one.
 */
export class DocumentReader implements AsyncDisposable {
  readonly #config: DocumentConfig
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #nextId = 0

  constructor(config: DocumentConfig) {
    this.#config = config
  }

  /** Never rejects: a file that cannot be read is answered with the fault, in words. */
  read(kind: DocumentKind, file: Buffer): Promise<DocumentText | { readonly fault: string }> {
    const reading = this.#last.then(() => this.#read(kind, file))
    this.#last = reading
    return reading
  }

  async [Symbol.asyncDispose]() {
    await this.#end()
  }

  #read(kind: DocumentKind, file: Buffer): Promise<DocumentText | { readonly fault: string }> {
    const { maxDocumentMs, maxDocumentPages: maxPages, maxTextBytes } = this.#config
    const worker = this.#thread()
    const order: DocumentOrder = { id: this.#nextId++, kind, bytes: file, limits: { maxPages, maxTextBytes } }
    return new Promise((resolve) => {
      const finish = (answer: DocumentText | { readonly fault: string }, isOver: boolean) => {
        clearTimeout(timer)
        worker.off('message', onMessage)
        worker.off('error', onError)
        worker.unref()
        if (isOver) void this.#end()
        resolve(answer)
      }
      const onMessage = ({ id, document, fault }: DocumentAnswer) => {
        if (id === order.id) finish(document ?? { fault: fault ?? 'unknown' }, false)
      }
      const onError = (error: Error) => finish({ fault: error.message }, true)
      const timer = setTimeout(() => finish({ fault: `not read within ${maxDocumentMs} ms` }, true), maxDocumentMs)
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.ref()
      worker.postMessage(order)
    })
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(threadModule, {
      name: 'orbweaver-documents',
      resourceLimits: { maxOldGenerationSizeMb: this.#config.maxDocumentMemoryMb, maxYoungGenerationSizeMb: 32 },
      ...flags,
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    // Between two files nobody listens: what it says then is of no use, and must not end the process.
    worker.on('error', () => undefined)
    this.#worker = worker
    return worker
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
