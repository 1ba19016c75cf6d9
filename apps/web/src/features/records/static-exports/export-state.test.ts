import type { StaticExport } from '@docket/api-types/static-exports'
import { expect, test } from 'vitest'
import { describeExportChange } from './export-announcements.ts'
import { formatExportFigures, describeExportState, isRunningExport } from './export-state.ts'

const started = '2026-11-21T12:00:00.000Z'
const row: StaticExport = {
  exportId: '00000000-0000-4000-8000-000000000001',
  domain: 'docs.example.com',
  domainUnicode: null,
  version: null,
  paths: null,
  state: 'accepted',
  jobId: 'exp_1',
  status: 'running',
  progress: 42.9,
  pageCount: 128,
  pagesPerSecond: 6.42,
  expectedAt: null,
  reason: null,
  startedAt: started,
  finishedAt: null,
  imported: false,
  usual: null,
  goneAt: null,
  replacedBy: null,
  bundle: null,
  checkedAt: started,
  nextCheckAt: started,
  checkFailure: null,
}

test('an unknown status from the service is shown unchanged and counts as running', () => {
  const odd = { ...row, status: 'warming_up' }
  expect(describeExportState(odd)).toEqual({ tone: 'live', word: 'Warming up' })
  expect(isRunningExport(odd)).toBe(true)
})

test('a status that may be an end, and an export that nobody watches, do not look like work', () => {
  const odd = { ...row, status: 'SUCCEEDED', isUnrecognised: true }
  expect(describeExportState(odd)).toEqual({ tone: 'attention', word: 'SUCCEEDED' })
  expect(describeExportState({ ...row, isWatched: false })).toEqual({ tone: 'idle', word: 'Not watched' })
  expect(isRunningExport({ ...row, isWatched: false })).toBe(false)
  expect(describeExportState({ ...row, state: 'completed', isWatched: false }).word).toBe('Completed')
})

test('progress is rounded down, so that 100 % never appears too early', () => {
  expect(formatExportFigures({ ...row, progress: 99.9 })[0]).toBe('99 %')
})

test('unknown figures are not shown', () => {
  expect(formatExportFigures({ ...row, progress: null, pageCount: null, pagesPerSecond: null })).toEqual([])
})

test('only the start, each 25 % of progress and the end of an export are announced', () => {
  expect(describeExportChange(undefined, row)).toBe('Export of docs.example.com started')
  expect(describeExportChange(row, { ...row, progress: 49 })).toBe(null)
  expect(describeExportChange(row, { ...row, progress: 77 })).toBe('Export of docs.example.com: 75 per cent')
  expect(describeExportChange({ ...row, progress: 99 }, { ...row, progress: 100 })).toBe(null)
  expect(describeExportChange(row, { ...row, state: 'completed' })).toBe('Export of docs.example.com: completed')
  expect(describeExportChange({ ...row, state: 'completed' }, { ...row, state: 'completed' })).toBe(null)
})

test('the end of storing a bundle is announced', () => {
  const completed = { ...row, state: 'completed' } as const
  const storing = { ...completed, artifact: { state: 'storing' } } as StaticExport
  const stored = { ...completed, artifact: { state: 'stored', check: null } } as StaticExport
  expect(describeExportChange(storing, stored)).toBe('Bundle of docs.example.com: saved')
  expect(describeExportChange(stored, stored)).toBe(null)
})

test('a running export that scrolls into view is not announced as started', () => {
  const sinceMs = Date.parse(started) + 1
  expect(describeExportChange(undefined, row, sinceMs)).toBe(null)
  expect(describeExportChange(undefined, row, sinceMs - 1)).toBe('Export of docs.example.com started')
})

test('a cancelled export is not shown as failed', () => {
  expect(describeExportState({ ...row, state: 'failed', reason: 'cancelled' })).toEqual({
    tone: 'idle',
    word: 'Cancelled',
  })
  expect(describeExportState({ ...row, state: 'failed', reason: 'cancelled by mistake' }).word).toBe('Failed')
})
