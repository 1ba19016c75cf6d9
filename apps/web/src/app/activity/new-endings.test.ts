import type { Activity } from '@docket/api-types/activity'
import type { Connection } from '@docket/api-types/connections'
import { expect, test } from 'vitest'
import { currentConnections } from '#lib/connections/connections.ts'
import { selectNewEndings, toNotice } from './new-endings.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const ended = (eventId: number, title = `site-${eventId}.test`): Activity['endings'][number] => ({
  eventId,
  at: new Date(nowMs).toISOString(),
  key: { type: 'static_export', exportId: '00000000-0000-4000-8000-000000000000' },
  title,
  ending: 'completed',
})
const listIds = (result: { tell: { eventId: number }[] }) => result.tell.map(({ eventId }) => eventId)
const look = { nowMs, firstLook: false }

test('the first read in a browser announces nothing and stores the newest ending', () => {
  const found = selectNewEndings([ended(9), ended(8)], null, { nowMs, firstLook: true })
  expect(listIds(found)).toEqual([])
  expect(found.notified).toEqual({ eventId: 9, lookedAtMs: nowMs })
  expect(selectNewEndings([], null, { nowMs, firstLook: true }).notified.eventId).toBe(0)
})

test('new endings are announced once, oldest first', () => {
  const found = selectNewEndings([ended(12), ended(11), ended(9)], { eventId: 9, lookedAtMs: nowMs - 5000 }, look)
  expect(listIds(found)).toEqual([11, 12])
  expect(listIds(selectNewEndings([ended(12), ended(11), ended(9)], found.notified, look))).toEqual([])
})

test('a tab that takes over announcing continues after the last ending that the previous tab announced', () => {
  const notified = { eventId: 9, lookedAtMs: nowMs - 60_000 }
  expect(listIds(selectNewEndings([ended(10), ended(9)], notified, { nowMs, firstLook: true }))).toEqual([10])
})

test('a tab opened long after the last read announces no old endings', () => {
  const notified = { eventId: 9, lookedAtMs: nowMs - 6 * 60_000 }
  const found = selectNewEndings([ended(10), ended(9)], notified, { nowMs, firstLook: true })
  expect(listIds(found)).toEqual([])
  expect(found.notified.eventId).toBe(10)
})

test('a suspended tab, once resumed, announces the records that ended meanwhile', () => {
  expect(listIds(selectNewEndings([ended(10)], { eventId: 9, lookedAtMs: nowMs - 8 * 3_600_000 }, look))).toEqual([10])
})

test('when the address serves another database, announcing starts over and omits old endings', () => {
  const found = selectNewEndings([ended(3)], { eventId: 900, lookedAtMs: nowMs - 1000 }, look)
  expect(listIds(found)).toEqual([])
  expect(found.notified.eventId).toBe(3)
})

test('a notification of one ending opens its record; one of several endings opens none', () => {
  expect(toNotice([])).toBeNull()
  expect(toNotice([ended(3, 'docs.test')])).toMatchObject({
    title: 'docs.test: completed',
    body: 'Export',
    tag: 'docket-3',
    only: { eventId: 3 },
  })
  const bundle = toNotice([1, 2, 3, 4, 5, 6].map((id) => ended(id)))
  expect(bundle).toMatchObject({ title: '6 records ended', tag: 'docket-6', only: null })
  expect(bundle?.body.split('\n')).toHaveLength(5)
  expect(bundle?.body).toMatch(/and 2 more$/)
})

test('a notification names the connection only if there are several connections', () => {
  const connection = (connectionId: string, name: string) => ({ connectionId, name }) as unknown as Connection
  const item = { ...ended(3, 'docs.test'), connectionId: 'c2' }
  currentConnections.set([connection('c2', 'Staging')])
  expect(toNotice([item])?.body).toBe('Export')
  currentConnections.set([connection('c1', 'Live'), connection('c2', 'Staging')])
  expect(toNotice([item])?.body).toBe('Export · Staging')
  expect(toNotice([item, ended(4)])?.body).toBe('docs.test: completed (Staging)\nsite-4.test: completed')
  currentConnections.set(null)
})
