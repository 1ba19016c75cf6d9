import type { LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { isMetadataHost, readAddress, withoutMetadata } from './addresses.ts'

test.each([
  ['169.254.169.254', 'metadata'],
  ['169.254.0.1', 'metadata'],
  ['fe80::1', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['::ffff:169.254.169.254', 'metadata'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['64:ff9b:1::a9fe:a9fe', 'metadata'],
  ['::a9fe:a9fe', 'metadata'],
  ['2002:a9fe:a9fe::1', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['10.0.0.1', 'private'],
  ['fd00::1', 'private'],
  ['100.64.0.1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1::1', 'public'],
  ['0.0.0.0', 'special'],
  ['::7f00:1', 'special'],
  ['2002:5db8:d822::', 'special'],
])('%s is %s', (text, kind) => {
  expect(readAddress(text)?.kind).toBe(kind)
})

test('metadata services are known by any spelling of their address in a URL, and by their usual names', () => {
  for (const host of [
    '169.254.169.254',
    '2852039166',
    '0xA9FEA9FE',
    '0251.0376.0251.0376',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    'metadata.google.internal.',
    'METADATA.goog',
  ])
    expect(isMetadataHost(new URL(`http://${host}`).hostname)).toBe(true)
  for (const host of ['s3.internal', '10.0.0.1', 'localhost', '[fd00::1]', 'metadata.example.com'])
    expect(isMetadataHost(new URL(`http://${host}`).hostname)).toBe(false)
})

test('a name that leads to a metadata service, among others, is not resolved', async () => {
  const resolve = (...addresses: string[]) => {
    const found = addresses.map((address) => ({ address, family: 4 }))
    const answer: LookupFunction = (_, { all }, done) =>
      all === true ? done(null, found) : done(null, found[0]!.address, 4)
    return (all: boolean) =>
      new Promise((done) =>
        withoutMetadata(answer)('s3.example.com', { all }, (error, result) => done(error?.code ?? result)),
      )
  }
  expect(await resolve('10.0.0.1', '169.254.169.254')(true)).toBe('ERR_METADATA_ADDRESS')
  expect(await resolve('169.254.169.254')(false)).toBe('ERR_METADATA_ADDRESS')
  expect(await resolve('10.0.0.1')(false)).toBe('10.0.0.1')
  expect(await resolve('10.0.0.1')(true)).toEqual([{ address: '10.0.0.1', family: 4 }])
})
