import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from 'undici'
import { FetchFailure, failureOf } from './failure-codes.ts'

const withCode = (code: string, message = 'it failed') => Object.assign(new Error(message), { code })

test('the same error of the network means something else at each stage', () => {
  assert.equal(failureOf(withCode('ECONNRESET'), 'connect').code, 'reset')
  assert.equal(failureOf(withCode('ECONNRESET'), 'handshake').code, 'connect-failed')
  assert.equal(failureOf(withCode('ECONNRESET'), 'body').code, 'reset')
  assert.equal(failureOf(withCode('ETIMEDOUT'), 'connect').code, 'connect-timeout')
  assert.equal(failureOf(withCode('ETIMEDOUT'), 'body').code, 'reset')
  assert.equal(failureOf(withCode('EHOSTUNREACH'), 'connect').code, 'connect-failed')
})

test('certificates and handshakes that cannot be trusted are told from connections that fail', () => {
  const words = {
    CERT_HAS_EXPIRED: 'tls-expired',
    CERT_NOT_YET_VALID: 'tls-expired',
    ERR_TLS_CERT_ALTNAME_INVALID: 'tls-wrong-name',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-untrusted',
    SELF_SIGNED_CERT_IN_CHAIN: 'tls-untrusted',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-untrusted',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-untrusted',
    ERR_SSL_WRONG_VERSION_NUMBER: 'tls-invalid',
    ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'tls-invalid',
    EPROTO: 'tls-invalid',
  }
  for (const [code, word] of Object.entries(words))
    assert.equal(failureOf(withCode(code), 'handshake').code, word, code)
})

test('undici and HTTP/2 errors become our words', () => {
  assert.equal(failureOf(new errors.SocketError('other side closed'), 'head').code, 'reset')
  assert.equal(failureOf(new errors.SocketError('bad response'), 'head').code, 'protocol')
  assert.equal(failureOf(new errors.HTTPParserError('Invalid header'), 'head').code, 'protocol')
  assert.equal(failureOf(new errors.HeadersOverflowError(), 'head').code, 'protocol')
  assert.equal(failureOf(new errors.ClientDestroyedError(), 'head').code, 'cancelled')
  const stream = (name: string) => withCode('ERR_HTTP2_STREAM_ERROR', `Stream closed with error code ${name}`)
  assert.equal(failureOf(stream('NGHTTP2_INTERNAL_ERROR'), 'body').code, 'reset')
  assert.equal(failureOf(stream('NGHTTP2_PROTOCOL_ERROR'), 'body').code, 'protocol')
})

test('our own failures keep their word, and the unknown gets one', () => {
  assert.deepEqual(failureOf(new FetchFailure('dns-failed', 'why'), 'connect'), { code: 'dns-failed', detail: 'why' })
  assert.equal(failureOf(new Error('?'), 'connect').code, 'connect-failed')
  assert.equal(failureOf(new Error('?'), 'body').code, 'reset')
  assert.equal(failureOf('text', 'body').detail, 'text')
})

test('the detail names the code of the error', () => {
  assert.equal(failureOf(withCode('ENETDOWN', 'no way'), 'connect').detail, 'no way (ENETDOWN)')
  assert.equal(failureOf(withCode('ENETDOWN', 'connect ENETDOWN'), 'connect').detail, 'connect ENETDOWN')
})
