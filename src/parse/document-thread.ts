import { parentPort } from 'node:worker_threads'
import type { DocumentAnswer, DocumentOrder } from './document-reader.ts'

/** The life of the thread that reads documents: one after the other, until it is ended. */
parentPort!.on('message', async ({ id, kind, bytes, limits }: DocumentOrder) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const answer = await read(kind, file, limits).then(
    (document): DocumentAnswer => ({ id, document }),
    (error: Error): DocumentAnswer => ({ id, fault: error.message }),
  )
  parentPort!.postMessage(answer)
})

/** Loaded only when one comes: the reader of PDF files is large. */
async function read(kind: DocumentOrder['kind'], file: Buffer, limits: DocumentOrder['limits']) {
  if (kind === 'pdf') return (await import('./document-pdf.ts')).readPdf(file, limits)
  return (await import('./document-office.ts')).readOffice(file, limits)
}
