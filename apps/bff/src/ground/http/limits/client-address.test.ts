import { expect, test } from 'vitest'
import { bringsMany, findClientAddress, toNetwork, parseNetwork } from '#ground/http/limits/client-address.ts'

const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::ffff:198.51.100.0/120'].map((text) => parseNetwork(text)!)
const from = (remoteAddress: string | undefined, forwarded?: string | string[], trusted = proxies) =>
  findClientAddress(
    {
      socket: { remoteAddress },
      headers: (forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }) as Record<string, string>,
    },
    trusted,
  )

test('without trusted proxies, the client address is that of the connection, whatever the header contains', () => {
  expect(from('203.0.113.9', '1.2.3.4', [])).toBe('203.0.113.9')
  expect(from('10.0.0.1', '1.2.3.4', [])).toBe('10.0.0.1')
  expect(from('127.0.0.1', '1.2.3.4')).toBe('127.0.0.1')
})

test.each([
  ['the address it names', '1.2.3.4', '1.2.3.4'],
  ['the latest of several', '6.6.6.6, 7.7.7.7, 1.2.3.4', '1.2.3.4'],
  ['the latest that is no proxy', '6.6.6.6, 1.2.3.4, 192.0.2.7,10.9.9.9', '1.2.3.4'],
  ['the latest of several headers', ['6.6.6.6', '1.2.3.4'], '1.2.3.4'],
  ['an address with its port', '1.2.3.4:5678', '1.2.3.4'],
  ['an IPv6 address', '2001:DB8::0001', '2001:db8::1'],
  ['an IPv6 address with its port', '[2001:db8::1]:443', '2001:db8::1'],
  ['an IPv6 address in brackets', '[2001:db8::1]', '2001:db8::1'],
  ['an IPv6 address with a zone', 'fe80::1%eth0', 'fe80::1'],
  ['an IPv4 address written as IPv6', '::ffff:1.2.3.4', '1.2.3.4'],
  ['an IPv4 address written as IPv6 in hex', '::ffff:102:304', '1.2.3.4'],
  ['the first proxy, where there are only proxies', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
] as const)('behind a trusted proxy, the client address is %s', (_, forwarded, address) => {
  expect(from('10.0.0.1', forwarded as string)).toBe(address)
  expect(from('::ffff:10.0.0.1', forwarded as string)).toBe(address)
})

test.each([
  '',
  ' ',
  ',',
  ',,,,',
  'unknown',
  '_hidden',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '1.2.3.4:99999999',
  '1.2.3.4:x',
  '[1.2.3.4',
  '::g',
  '1.2.3.4, ',
  '1.2.3.4, evil',
  '1.2.3.4\0',
  '١.٢.٣.٤',
  `${'9'.repeat(15_000)}`,
  `${','.repeat(15_000)}`,
  '[[[[[::1]]]]]',
  '%',
  '%eth0',
])('with the unusable header %j, the client address is that of the proxy', (forwarded) => {
  expect(from('10.0.0.1', forwarded)).toBe('10.0.0.1')
})

test('X-Forwarded-For entries forged by the client are never used', () => {
  expect(from('10.0.0.1', '127.0.0.1, 10.0.0.1, 203.0.113.9')).toBe('203.0.113.9')
  expect(from('10.0.0.1', `${'6.6.6.6, '.repeat(2_000)}203.0.113.9`)).toBe('203.0.113.9')
  expect(from('10.0.0.1', `127.0.0.1${', 10.0.0.2'.repeat(2_000)}`)).toBe('10.0.0.2')
})

test('a closed connection gets a placeholder address', () => {
  expect(from(undefined, '1.2.3.4')).toBe('unknown')
})

test('a client has one canonical address, however its connection writes it', () => {
  expect(from('::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(from('2001:0DB8:0:0:0:0:0:1')).toBe('2001:db8::1')
  expect(from('198.51.100.20', '1.2.3.4')).toBe('1.2.3.4')
})

test('a trusted proxy and this machine stand for many people, any other address for one', () => {
  for (const address of ['::ffff:192.0.2.7', '192.0.2.7', '10.9.8.7', '127.0.0.1', '127.9.9.9', '::1'])
    expect([address, bringsMany(proxies, address)]).toEqual([address, true])
  for (const address of ['192.0.2.8', '2001:db8::1', '', 'unknown'])
    expect([address, bringsMany(proxies, address)]).toEqual([address, false])
})

test.each([
  '',
  '0.0.0.0/0',
  '::/0',
  '::ffff:0.0.0.0/96',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10/8',
  'proxy',
  '10.0.0.0/',
  '10.0.0.0/08',
  '010.0.0.1',
  '::1%lo',
])('%j is refused as a trusted network', (text) => {
  expect(parseNetwork(text)).toBe(null)
})

test('an IPv6 client is counted by its network, because it can use every address in it', () => {
  expect(toNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(toNetwork('203.0.113.9')).toBe('203.0.113.9')
  expect(toNetwork('unknown')).toBe('unknown')
})
