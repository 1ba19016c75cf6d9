import { defaultPublishChecks, type PublishCheckSettings } from '@docket/api-types/publish-checks'
import { expect, test } from 'vitest'
import type { BundleFacts } from '#bundles/check/bundle-report.ts'
import { judgeBundle } from './judge-bundle.ts'

const cause = (level: 'breaks' | 'leaks' | 'notes', fingerprint: string, rule = 'rule', sentence = fingerprint) => ({
  level,
  fingerprint,
  rule,
  sentence,
})
const clean: BundleFacts = { unfinished: null, findings: [], pages: 240, sizeBytes: 1000 }
const broken = { ...clean, findings: [cause('breaks', 'b1'), cause('breaks', 'b2')] }
const leaking = { ...clean, findings: [cause('leaks', 'l1')] }
const silent = { ...clean, findings: [cause('notes', 'n', 'no-search')] }
const unfinished = { ...clean, unfinished: 'Killed.' }
const pages = (count: number) => ({ ...clean, pages: count })

const rows: [string, Partial<PublishCheckSettings>, BundleFacts, BundleFacts | null, string[], string][] = [
  ['equal', {}, clean, clean, [], ''],
  ['first', {}, { ...broken, pages: 1 }, null, [], ''],
  ['first without search', {}, silent, null, [], ''],
  ['first, unfinished', {}, unfinished, null, [], 'finished_check'],
  ['first, too large', { maxBytes: 999 }, clean, null, [], 'size'],
  ['unfinished', {}, unfinished, clean, [], 'finished_check new_breaks new_leaks'],
  ['unfinished, which need not finish', { finishedCheck: false }, unfinished, clean, [], 'new_breaks new_leaks'],
  ['new breaks', {}, broken, clean, [], 'new_breaks'],
  ['new breaks, off', { noNewBreaks: false }, broken, clean, [], ''],
  ['one accepted', {}, broken, clean, ['b1'], 'new_breaks'],
  ['all accepted', {}, broken, clean, ['b1', 'b2'], ''],
  ['same breaks', {}, broken, broken, [], ''],
  ['new leak', {}, leaking, clean, [], 'new_leaks'],
  ['new leak, off', { noNewLeaks: false }, leaking, clean, [], ''],
  ['leak accepted', {}, leaking, clean, ['l1'], ''],
  ['fixed', {}, clean, broken, [], ''],
  ['shown unfinished', {}, clean, unfinished, [], ''],
  ['shown unfinished, with breaks', {}, broken, unfinished, [], 'new_breaks'],
  ['11.7 % fewer', {}, pages(212), clean, [], 'fewer_pages'],
  ['10 % fewer', {}, pages(216), clean, [], ''],
  ['fewer, off', { maxFewerPages: null }, pages(1), clean, [], ''],
  ['more pages', { maxFewerPages: 0 }, pages(300), clean, [], ''],
  ['largest allowed', { maxBytes: 1000 }, clean, clean, [], ''],
  ['search lost', {}, silent, clean, [], 'same_search'],
  ['never had a search', {}, silent, silent, [], ''],
  ['nobody approved', { approvals: 1 }, clean, clean, [], 'approvals'],
]

const judge = (
  settings: Partial<PublishCheckSettings>,
  [candidate, current]: readonly [BundleFacts, BundleFacts | 'gone' | null],
  accepted: string[] = [],
) =>
  judgeBundle(
    { ...defaultPublishChecks, ...settings },
    { candidate, current, accepted: new Set(accepted), approvals: 0 },
  )
const findFailed = (checks: ReturnType<typeof judge>) =>
  checks.flatMap(({ state, condition }) => (state === 'failed' ? condition : [])).join(' ')

test.each(rows)('publish checks decide: %s', (_, settings, candidate, current, accepted, failing) => {
  expect(findFailed(judge(settings, [candidate, current], accepted))).toBe(failing)
})

test('every check that compares bundles fails while the current bundle of the channel is missing', () => {
  expect(findFailed(judge({}, [clean, 'gone']))).toBe('new_breaks new_leaks fewer_pages same_search')
})

test('messages contain the counts, and hostile names are truncated to one line', () => {
  const hostile = { ...pages(212), findings: [cause('leaks', 'l', 'rule', `a\n\u202Eb${'x'.repeat(999)}`)] }
  const sentences = judge({}, [hostile, clean]).map(({ sentence }) => sentence)
  expect(sentences).toContain('212 of 240 pages: 11.7 % fewer, more than 10 %.')
  expect(sentences[2]).toMatch(/^1 new outside request: a bx+…$/)
})
