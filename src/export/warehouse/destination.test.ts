import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf } from './destination.ts'

test('a name that ends in .parquet is one file, any other a folder', () => {
  assert.deepEqual(destinationOf('x/pages.parquet'), { kind: 'file', path: 'x/pages.parquet' })
  assert.deepEqual(destinationOf('pages'), { kind: 'folder', path: 'pages' })
})

test('a bucket is named with or without a prefix', () => {
  assert.deepEqual(destinationOf('s3://my-bucket'), { kind: 'bucket', bucket: 'my-bucket', prefix: '' })
  assert.deepEqual(destinationOf('s3://my-bucket/'), { kind: 'bucket', bucket: 'my-bucket', prefix: '' })
  assert.deepEqual(destinationOf('s3://my-bucket/a/b//'), { kind: 'bucket', bucket: 'my-bucket', prefix: 'a/b/' })
})

test('what names no bucket, or a file in one, is refused', () => {
  for (const to of ['s3:', 's3://', 's3:///x', 's3://-/x'])
    assert.throws(() => destinationOf(to), /names no bucket/, to)
  assert.throws(() => destinationOf('s3://b/pages.parquet'), /name a prefix/)
})
