import assert from 'node:assert/strict'
import { test } from 'node:test'
import { majorOf, missingJdk } from './java.ts'

test('versions are read in the old way of writing them and in the new one', () => {
  assert.deepEqual(['17.0.15', '25', '25-ea', '1.8.0_392', '21+35', 'nonsense'].map(majorOf), [17, 25, 25, 8, 21, NaN])
})

test('a missing JDK is told with what is needed and what was found instead', () => {
  const where = 'in JAVA_HOME, on the PATH or in /usr/lib/jvm'
  assert.equal(missingJdk('Kafka', 17, []), `Kafka: no JDK found (needs 17 or newer, ${where})`)
  const found = ['17.0.15', '17.0.15', '11.0.2'].map((version) => ({ home: '/somewhere', version }))
  assert.equal(
    missingJdk('OpenSearch', 21, found),
    `OpenSearch: found only JDK 17.0.15, 11.0.2 (needs 21 or newer, ${where})`,
  )
})
