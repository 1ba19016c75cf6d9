import { expect, test } from 'vitest'
import { allowPublicAnd, isLoopbackHost, isMetadataHost, readAddress } from './addresses.ts'

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
])('the address %s belongs to the range %s', (text, kind) => {
  expect(readAddress(text)?.kind).toBe(kind)
})

test('metadata services are recognised by every spelling of their address and by their usual names', () => {
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

test('localhost is recognised in every form that a parsed URL can have', () => {
  for (const host of ['localhost', 'docs.localhost', '127.0.0.1', '127.1', '[::1]', '2130706433'])
    expect(isLoopbackHost(new URL(`http://${host}`).hostname)).toBe(true)
  for (const host of ['localhost.example.com', 'notlocalhost', '127.0.0.1.example.com', '10.0.0.1', '[::2]'])
    expect(isLoopbackHost(new URL(`http://${host}`).hostname)).toBe(false)
})

test.each([
  '127.0.0.1',
  '127.8.9.10',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '169.254.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '0.0.0.0',
  '0.1.2.3',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::a9fe:a9fe',
  '1::1',
  '100:0:0:1::1',
  '4000::1',
  'fe00::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '100::1',
  'example.com',
  '',
])('%j is refused as an address to fetch a bundle from', (address) => {
  expect(allowPublicAnd({})(address)).toBe(false)
})

test('public addresses are allowed, private ones only for listed hosts, and metadata and link-local ones never', () => {
  for (const address of ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])
    expect(allowPublicAnd({})(address)).toBe(true)
  const forListed = allowPublicAnd({ kinds: ['private', 'loopback'] })
  for (const address of ['10.0.0.1', '192.168.1.1', 'fd12::1', '100.64.0.1', '127.0.0.1', '::ffff:10.0.0.1'])
    expect(forListed(address)).toBe(true)
  for (const address of [
    '169.254.169.254',
    '100.100.100.200',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    'fe80::1',
    '0.0.0.0',
  ])
    expect(forListed(address)).toBe(false)
  expect(allowPublicAnd({ kinds: ['loopback'] })('127.0.0.1')).toBe(true)
  expect(allowPublicAnd({ kinds: ['loopback'] })('10.0.0.1')).toBe(false)
})

test('private and loopback addresses are allowed only if listed, and link-local and metadata ones never', () => {
  const everything = allowPublicAnd({
    networks: ['0.0.0.0/0', '::/0', '169.254.169.254', '100.100.100.200', 'fd00:ec2::254'],
  })
  const nothing = allowPublicAnd({})
  const listable = '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 ::1 fd12::1 ::ffff:10.1.2.3'.split(' ')
  const never =
    '169.254.169.254 169.254.1.1 fe80::1 fe80::1%eth0 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 0.0.0.0 :: 224.0.0.1 255.255.255.255 ff02::1 no-address'.split(
      ' ',
    )
  expect(listable.filter((address) => nothing(address))).toEqual([])
  expect(listable.filter((address) => !everything(address))).toEqual([])
  expect(never.filter((address) => everything(address) || nothing(address))).toEqual([])
  expect(['93.184.216.34', '2606:2800:220:1::1'].filter((address) => !nothing(address))).toEqual([])
  const some = allowPublicAnd({ networks: ['10.20.0.0/16', '192.168.7.7'] })
  expect(['10.20.3.4', '10.21.0.1', '192.168.7.7', '192.168.7.8'].map(some)).toEqual([true, false, true, false])
})
