import { UsageError } from '../../config/usage-error.ts'

/** Where Parquet goes: one file with everything, or a warehouse in a folder or a bucket. */
export type Destination =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  /** `prefix` is empty or ends in a slash. */
  | { readonly kind: 'bucket'; readonly bucket: string; readonly prefix: string }

export function destinationOf(to: string): Destination {
  if (!/^s3:/i.test(to)) return { kind: to.endsWith('.parquet') ? 'file' : 'folder', path: to }
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(\/.*)?$/i.exec(to) ?? []
  if (bucket === undefined) throw new UsageError(`"${to}" names no bucket: write s3://BUCKET/PREFIX.`)
  if (path.endsWith('.parquet'))
    throw new UsageError('A bucket takes a whole warehouse: name a prefix, not a file (s3://BUCKET/PREFIX).')
  const prefix = path.replace(/^\/+/, '').replace(/\/+$/, '')
  return { kind: 'bucket', bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}
