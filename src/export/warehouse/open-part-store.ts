import type { S3Config } from '../../engines/s3/config.ts'
import type { Destination } from './destination.ts'
import { folderParts } from './folder-parts.ts'
import type { PartStore } from './part-store.ts'

/** `s3` tells how to reach the bucket; which one it is, is the destination's to say. The client is loaded only then. */
export async function openPartStore(
  destination: Exclude<Destination, { kind: 'file' }>,
  crawl: string,
  s3: () => S3Config,
): Promise<PartStore> {
  if (destination.kind === 'folder') return folderParts(destination.path, crawl)
  const { bucket, prefix } = destination
  const { openS3Parts } = await import('./s3-parts.ts')
  return openS3Parts({ ...s3(), bucket, prefix })
}
