import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { systemClock } from '../../../clock.ts'
import type { Config } from '../../../config/schema.ts'
import { s3Connection } from '../../../engines/s3/connect.ts'

/** The bucket of a fleet for tests. */
export async function createTestBucket({ engines: { s3 } }: Config): Promise<void> {
  using connection = s3Connection(s3, systemClock())
  await connection.client.send(new CreateBucketCommand({ Bucket: s3.bucket }))
}
