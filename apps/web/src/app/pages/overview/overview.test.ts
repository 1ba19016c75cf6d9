import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { expect, test } from 'vitest'
import { buildOverview, listSections, type Overview } from './overview.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000).toISOString()

const row = (exportId: string, minutesAgo: number, change: Partial<StaticExport> = {}): StaticExport => ({
  exportId,
  domain: 'docs.example.com',
  domainUnicode: null,
  version: null,
  paths: null,
  state: 'accepted',
  jobId: exportId,
  status: 'running',
  progress: null,
  pageCount: null,
  pagesPerSecond: null,
  expectedAt: null,
  reason: null,
  startedAt: at(minutesAgo),
  finishedAt: null,
  imported: false,
  usual: null,
  goneAt: null,
  replacedBy: null,
  bundle: null,
  checkedAt: null,
  nextCheckAt: null,
  checkFailure: null,
  ...change,
})

const job = (id: string, minutesAgo: number, meaning: AgentJob['meaning']): AgentJob => ({
  projectId: 'docs',
  id,
  status: 'active',
  meaning,
  source: { repository: null, ref: null },
  model: null,
  prLink: null,
  createdAt: null,
  archivedAt: null,
  followedAt: at(minutesAgo),
  finishedAt: null,
  usual: null,
  goneAt: null,
  checkedAt: null,
  nextCheckAt: null,
  checkFailure: null,
})

const listNames = ({ running, attention, recent }: Overview) =>
  [running, attention, recent].map((items) =>
    items.map((item) => (item.kind === 'export' ? item.row.exportId : item.job.id)),
  )

test('exports and jobs share one list, in which each record appears in one section, newest first', () => {
  const rows = [
    row('a', 1),
    row('b', 5, { state: 'completed' }),
    row('c', 3, { state: 'unknown', needsAttention: true }),
    row('d', 6, { state: 'failed' }),
  ]
  const jobs = [
    job('x', 2, 'working'),
    job('y', 4, 'pull_request_ready'),
    { ...job('z', 1, 'failed'), needsAttention: true },
  ]
  expect(listNames(buildOverview(rows, jobs))).toEqual([
    ['a', 'x'],
    ['z', 'c'],
    ['y', 'b', 'd'],
  ])
})

test('finished records stay in place and new ones wait while the pointer is in the list', () => {
  const pinned = listSections(buildOverview([row('a', 1), row('b', 2)], []))
  const later = [row('new', 0), row('a', 1, { state: 'completed' }), row('b', 2)]
  expect(listNames(buildOverview(later, [], pinned))).toEqual([['a', 'b'], [], []])
  expect(listNames(buildOverview(later, []))).toEqual([['new', 'b'], [], ['a']])
})

test('a record that the reader created appears at once, even while the pointer is in the list', () => {
  const pinned = listSections(buildOverview([row('a', 1)], []))
  const later = [row('own', 0), row('new', 0), row('a', 1)]
  expect(listNames(buildOverview(later, [], pinned, new Set(['own'])))).toEqual([['own', 'a'], [], []])
})
