import assert from 'node:assert/strict'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseIpv4, parseIpv6, refusedRange } from './address-guard.ts'

test('public addresses pass', () => {
  for (const address of [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
  ])
    assert.equal(refusedRange(address), undefined, address)
})

test('each refused IPv4 range is refused from its first address to its last', () => {
  const ranges: Record<string, string[]> = {
    unspecified: ['0.0.0.0', '0.255.255.255'],
    private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
    'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
    loopback: ['127.0.0.0', '127.255.255.255'],
    'link-local': ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
    documentation: ['192.0.2.0', '192.0.2.255', '198.51.100.7', '203.0.113.255'],
    benchmarking: ['198.18.0.0', '198.19.255.255'],
    multicast: ['224.0.0.0', '239.255.255.255'],
    reserved: ['192.0.0.0', '192.88.99.1', '240.0.0.0', '255.255.255.254'],
    broadcast: ['255.255.255.255'],
  }
  for (const [name, addresses] of Object.entries(ranges))
    for (const address of addresses) assert.equal(refusedRange(address), name, address)
})

test('each refused IPv6 range is refused in every spelling', () => {
  const ranges: Record<string, string[]> = {
    unspecified: ['::', '0:0:0:0:0:0:0:0', '0::0'],
    loopback: ['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1'],
    private: ['fc00::', 'fdff:ffff::1', 'FD00::1', 'fec0::1', '64:ff9b:1::1'],
    'link-local': ['fe80::1', 'febf::1', 'fe80::1%eth0'],
    multicast: ['ff02::1', 'ffff::'],
    documentation: ['2001:db8::1', '2001:0DB8:ffff::', '3fff::1', '3fff:0fff::1'],
    benchmarking: ['2001:2::1', '2001:2:0:ffff::'],
    reserved: ['100::1', '100:0:0:1::1', '2001:10::1', '2001:2f::1', '5f00::1', '::2', '::8.8.8.8', '4000::', '1::'],
  }
  for (const [name, addresses] of Object.entries(ranges))
    for (const address of addresses) assert.equal(refusedRange(address), name, address)
})

test('an IPv6 address that carries a private IPv4 address is refused, one that carries a public one is not', () => {
  const carried = (ipv4: string) => {
    const number = parseIpv4(ipv4)!
    const hex = (value: number) => value.toString(16)
    const [high, low] = [hex(number >>> 16), hex(number & 0xffff)]
    const [notHigh, notLow] = [hex((~number >>> 16) & 0xffff), hex(~number & 0xffff)]
    return [
      `::ffff:${ipv4}`,
      `::ffff:${high}:${low}`,
      `::ffff:0:${ipv4}`,
      `64:ff9b::${ipv4}`,
      `2002:${high}:${low}::1`,
      `2001:0:${high}:${low}:0:1234:f7f7:f7f7`,
      `2001:0:808:808:0:1234:${notHigh}:${notLow}`,
    ]
  }
  for (const address of [...carried('10.1.2.3'), ...carried('169.254.169.254'), ...carried('127.0.0.1')])
    assert.match(refusedRange(address) ?? '', /inside IPv6$/, address)
  for (const address of carried('8.8.8.8')) assert.equal(refusedRange(address), undefined, address)
})

test('what is no address is refused', () => {
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '0x7f.0.0.1',
    '2130706433',
    ':::',
    '1::2::3',
    '::1.2.3',
    'example.com',
    ':',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:1.2.3.4',
    '1.2.3.4::',
    '::g',
  ])
    assert.equal(refusedRange(text), 'not an address', text)
})

test('the parsers agree with node:net on what is an address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/)), (text) => {
      assert.equal(parseIpv4(text) !== undefined, isIPv4(text), text)
      assert.equal(parseIpv6(text) !== undefined, isIPv6(text), text)
    }),
  )
})

test('hostile text never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 80 }),
      (text) => void (isIP(text) || assert.equal(refusedRange(text), 'not an address')),
    ),
  )
})
