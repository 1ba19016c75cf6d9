import type { ChangedPage } from '@docket/api-types/comparisons'
import { expect, test } from 'vitest'
import { formatChanges, formatFileChanges, formatParts, pickSide } from './change-labels.ts'
import { listChoices } from './compared-artifacts.tsx'
import { parseComparisonSearch, toComparisonQuery } from './comparison-search.ts'
import { listDeadAddresses, printRedirects } from './dead-addresses.ts'

const artifact = (exportId: string, day: number) => ({
  exportId,
  startedAt: `2026-11-0${day}T00:00:00Z`,
  version: null,
  pages: 1,
})

const page = (change: Partial<ChangedPage>): ChangedPage => ({
  kind: 'changed',
  address: '/a/',
  title: '',
  from: null,
  words: null,
  parts: [],
  redirect: null,
  ...change,
})

test('the chosen artifact is among the choices even if the server lists only newer ones', () => {
  const comparison = { earlier: artifact('one', 1), later: artifact('here', 3), others: [artifact('two', 2)] }
  expect(listChoices(comparison).map(({ exportId }) => exportId)).toEqual(['two', 'one'])
})

test('old addresses of removed and moved pages count as dead unless they redirect', () => {
  const dead = { exists: false, proposal: '/new/' }
  const { addresses, isCut } = listDeadAddresses([
    {
      pages: [
        page({ kind: 'removed', address: '/gone/', redirect: dead }),
        page({ kind: 'removed', address: '/kept/', redirect: { exists: true, proposal: null } }),
        page({ kind: 'removed', address: '/lost/', redirect: { exists: false, proposal: null } }),
      ],
      next: null,
    },
    { pages: [page({ kind: 'moved', address: '/new/', from: '/old/', redirect: dead }), page({})], next: 500 },
  ])
  expect(addresses).toEqual([
    { address: '/gone/', proposal: '/new/' },
    { address: '/lost/', proposal: null },
    { address: '/old/', proposal: '/new/' },
  ])
  expect(isCut).toBe(true)
  expect(JSON.parse(printRedirects(addresses))).toEqual([
    { source: '/gone/', destination: '/new/' },
    { source: '/old/', destination: '/new/' },
  ])
})

test('each side of a comparison shows its own words, and nothing for a block that it lacks', () => {
  const runs = [
    { kind: 'same', text: 'Port ' },
    { kind: 'removed', text: '3000' },
    { kind: 'added', text: '8080' },
  ] as const
  const print = (side: 'before' | 'after') =>
    pickSide([...runs], side)
      .map(({ text }) => text)
      .join('')
  expect([print('before'), print('after')]).toEqual(['Port 3000', 'Port 8080'])
  expect(pickSide([{ kind: 'added', text: 'New' }], 'before')).toEqual([])
})

test('valid filters are read from the address, and the query cuts a long search text', () => {
  expect(parseComparisonSearch({ kind: 'renamed', against: 'x', q: 'y' })).toEqual({ kind: '', against: 'x', q: 'y' })
  expect(toComparisonQuery({ kind: 'moved', against: '', q: ` ${'x'.repeat(300)}` })).toEqual({
    kind: 'moved',
    against: undefined,
    q: 'x'.repeat(200),
  })
})

test('changes to files and page parts are described in words', () => {
  expect(formatFileChanges({ added: 1, removed: 0, changed: 12 })).toBe('1 file added, 12 files changed')
  expect(formatFileChanges({ added: 0, removed: 0, changed: 0 })).toBeNull()
  expect(formatParts(['text', 'files'])).toBe('Text, files it shows')
})

test('page changes are counted by kind, and their absence is stated', () => {
  expect(formatChanges({ added: 2, removed: 0, changed: 1200, moved: 1 })).toBe('2 added, 1,200 changed, 1 moved')
  expect(formatChanges({ added: 0, removed: 0, changed: 0, moved: 0 })).toBe('No page changed')
})
