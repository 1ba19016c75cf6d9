import type { Channel } from '@docket/api-types/sites'
import { expect, test } from 'vitest'
import { isValidLabel, moveAddresses } from './site-addresses.ts'

const channel = (address: string | null, hostname: string | null = null) => ({ address, hostname }) as Channel

test('a new label changes the addresses of hosted channels and bundles, but no hostname set by an admin', () => {
  const site = {
    label: 'docs',
    channels: [
      channel('http://docs.localhost:4500/'),
      channel('http://staging--docs.localhost:4500/'),
      channel('https://docs.example.com/', 'docs.example.com'),
      channel(null),
    ],
  }
  expect(moveAddresses(site, 'handbook', 'http://127.0.0.1:4500')).toEqual([
    { from: 'http://docs.localhost:4500/', to: 'http://handbook.localhost:4500/' },
    { from: 'http://staging--docs.localhost:4500/', to: 'http://staging--handbook.localhost:4500/' },
    { from: 'http://127.0.0.1:4500/sites/docs/…', to: 'http://127.0.0.1:4500/sites/handbook/…' },
  ])
  expect(moveAddresses(site, 'docs', 'http://127.0.0.1:4500')).toEqual([])
})

test('a label must be valid as part of a hostname and have no two dashes in a row', () => {
  expect(['docs', 'a1', 'docs-example-com'].filter(isValidLabel)).toHaveLength(3)
  expect(['a', 'Docs', 'a--b', '-a', 'a-', 'a.b', 'x'.repeat(41)].filter(isValidLabel)).toEqual([])
})
