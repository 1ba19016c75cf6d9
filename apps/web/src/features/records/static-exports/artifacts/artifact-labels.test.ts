import type { Artifact } from '@docket/api-types/artifacts'
import { expect, test } from 'vitest'
import { labelFindings } from '#features/records/static-exports/export-state.ts'
import { describeMissingCopy, describeStoringProgress } from './artifact-labels.ts'
import { findDependentExports } from './delete-copy-dialog.tsx'

const none = { breaks: 0, leaks: 0, notes: 0 }
const clean = { state: 'finished', detail: null, findings: none, added: null } as const

const artifact = (change: Partial<Artifact> = {}): Artifact => ({
  state: 'stored',
  reason: null,
  detail: null,
  progress: null,
  sha256: 'ab',
  sizeBytes: 1,
  contentBytes: 1,
  files: 1,
  pages: 1,
  storedAt: '2026-05-20T10:00:00.000Z',
  kept: false,
  deletedAfter: null,
  check: clean,
  change: null,
  ...change,
})
const label = (change: Partial<Artifact>) => labelFindings({ artifact: artifact(change) })

test('a row shows only the worst level of findings with its count, and nothing if there are none', () => {
  expect(label({})).toBeNull()
  expect(label({ check: { ...clean, findings: { breaks: 0, leaks: 1, notes: 9 } } })?.word).toBe('1 outside request')
  expect(label({ check: { ...clean, findings: { breaks: 2, leaks: 3, notes: 0 } } })).toEqual({
    tone: 'failed',
    word: '2 broken',
  })
  expect(label({ check: { ...clean, findings: { ...none, notes: 5 } } })).toEqual({ tone: 'idle', word: '5 hints' })
})

test('an unfinished check never looks like one without findings', () => {
  const check = { ...clean, state: 'not_finished', detail: 'It was stopped.' } as const
  expect(label({ check })).toEqual({ tone: 'attention', word: 'Check not finished' })
  const found = { ...check, findings: { ...none, leaks: 2 } }
  expect(label({ check: found })?.word).toBe('2 outside requests so far')
})

test('a row omits the reason for a missing copy if it is a setting of the installation', () => {
  for (const reason of ['off', 'not_shared'] as const) expect(label({ state: 'not_stored', reason })).toBeNull()
  expect(labelFindings({ artifact: null })).toBeNull()
  expect(label({ state: 'not_stored', reason: 'disk_full' })?.tone).toBe('attention')
  expect(label({ state: 'not_stored', reason: 'deleted' })?.word).toBe('Not saved')
})

test('storing again is offered only if it may succeed, and never for an uploaded bundle', () => {
  const canStore = (reason: Artifact['reason'], uploaded = false) =>
    describeMissingCopy({ reason, detail: 'Why.' }, uploaded).canStore
  expect(['disk_full', 'failed', 'retention', 'not_asked', 'too_large'].map((one) => canStore(one as never))).toEqual(
    Array(5).fill(true),
  )
  expect(['no_bundle', 'refused', 'not_an_archive', 'off'].map((one) => canStore(one as never))).toEqual(
    Array(4).fill(false),
  )
  expect(canStore('deleted', true)).toBe(false)
  expect(describeMissingCopy({ reason: 'deleted', detail: 'Store it.' }, true).message).toMatch(/Upload the file again/)
  const refusal = { reason: 'refused', detail: 'The archive has a link out of it.' } as const
  expect(describeMissingCopy(refusal, true)).toMatchObject({ message: refusal.detail, canStore: false })
})

test('the progress of storing never decreases between phases and names the phase', () => {
  const at = (phase: NonNullable<Artifact['progress']>['phase'], done: number, total: number | null) =>
    describeStoringProgress({ progress: { phase, done, total } })
  const phases = ['fetching', 'reading', 'checking', 'comparing', 'writing'] as const
  const percents = phases.flatMap((phase) => [0, 1, 4].map((done) => at(phase, done, 4).percent!))
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  expect(percents.at(-1)).toBe(100)
  expect(at('checking', 120, 318)).toMatchObject({ words: 'Checking its pages', amount: '120 of 318 pages' })
  expect(at('fetching', 2_000_000, null)).toMatchObject({ percent: null, amount: '2 MB' })
  expect(at('reading', 5, 0).percent).toBe(40)
  expect(describeStoringProgress({ progress: null }).percent).toBeNull()
  const progress = { phase: 'fetching', done: 3, total: 10 } as const
  expect(describeStoringProgress({ progress, madePortable: true })).toMatchObject({
    words: 'Making the site portable',
    amount: '3 of 10 pages',
  })
})

test('exports with the same bytes and exports compared with a copy count as pointing to it', () => {
  const row = (exportId: string, change: Partial<Artifact> = {}) => ({
    exportId,
    startedAt: '2026-05-20T10:00:00.000Z',
    artifact: artifact(change),
  })
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 }
  const others = [
    row('one'),
    row('same'),
    row('gone', { state: 'not_stored', sha256: 'ab' }),
    row('later', { sha256: 'cd', change: { against: 'one', ...counts } }),
  ]
  const { sameBytes, compared } = findDependentExports(row('one'), others)
  expect(sameBytes.map(({ exportId }) => exportId)).toEqual(['same'])
  expect(compared.map(({ exportId }) => exportId)).toEqual(['later'])
})
