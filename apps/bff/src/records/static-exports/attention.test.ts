import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isExport } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'
import { staticExportsApp } from './testing/static-exports-app.ts'

const failed = { status: 'failed', error: 'page /a does not render' }
const completed = { status: 'completed', progress: 100 }
const other = '22222222-2222-4222-8222-222222222222'

/** Exports, the count of those that need attention, and their domains as the list shows them. */
const attentionApp = async () => {
  const app = await staticExportsApp()
  /** Starts an export, which the service ends as `answer` says. */
  const ended = async (answer: unknown, more: object = {}) => {
    app.clock.ms += 60_000
    const { exportId, jobId } = await app.started({ confirmed: true, ...more })
    if (jobId === null) return exportId
    app.upstream.has(jobId, answer)
    await app.nextCheck(exportId)
    return exportId
  }
  const count = async () => {
    const { items, counts } = await app.list('?attention=true')
    expect(counts.attention).toBe(items.length)
    const { items: all } = await app.list()
    expect(all.filter(({ needsAttention }) => needsAttention)).toEqual(items)
    return counts.attention
  }
  const lost = () => app.upstream.onStart(() => 'reset')
  const answer = () => app.upstream.onStart(null)
  const audit = async () => {
    const { rows } = await app.db.execute<{ action: string; details: object }>(
      sql`select action, details from audit_events where action not in ('static_export.started', 'static_export.checked') order by audit_id`,
    )
    return rows.map(({ action, details }) => [action, details])
  }
  return { ...app, ended, count, lost, answer, audit }
}

test('failed, refused, unknown and gone exports need attention, and keep needing it as time passes', async () => {
  const { ended, count, upstream, lost, answer, clock, started, readGone, pass } = await withGone()
  await ended(failed)
  expect(await count()).toBe(1)
  upstream.onStart(() => ({ status: 400, body: { error: 'no' } }))
  await ended(null)
  lost()
  await ended(null)
  answer()
  expect(await count()).toBe(3)
  await readGone((await started({ confirmed: true })).exportId)
  expect(await count()).toBe(4)
  clock.ms += 400 * 86_400_000
  await pass()
  expect(await count()).toBe(4)
})

const withGone = async () => {
  const app = await attentionApp()
  const readGone = async (exportId: string) => {
    const { jobId } = await app.read(exportId)
    app.upstream.answers(jobId ?? '', { status: 410, body: { error: 'gone' } })
    expect((await app.nextCheck(exportId)).goneAt).not.toBeNull()
  }
  return { ...app, readGone }
}

test('a later success of the same pages clears earlier failures, whoever saw it, and changes the list for its readers', async () => {
  const { ended, count, lost, answer, started, upstream, act, request, clock, db, readGone } = await withGone()
  const clearing = {
    watcher: () => ended(completed),
    'check now': async () => {
      const { exportId, jobId } = await started({ confirmed: true })
      upstream.has(jobId ?? '', completed)
      await act(exportId, 'check')
    },
    import: async () => {
      upstream.has('elsewhere', completed)
      const body = { jobId: 'elsewhere', domain: 'docs.example.com' }
      StartedStaticExport.parse(await (await request('POST', '/import', body)).json())
    },
    attach: async () => {
      lost()
      const { exportId } = await started({ confirmed: true })
      expect(await count()).toBe(5)
      answer()
      upstream.has('found', completed)
      await act(exportId, 'attach', { jobId: 'found' })
    },
    'the answer to the start': async () => {
      upstream.onStart(() => ({ status: 202, body: { jobId: 'at-once', ...completed } }))
      await started({ confirmed: true })
      answer()
    },
  }
  for (const [name, clear] of Object.entries(clearing)) {
    await db.delete(staticExports)
    await ended(failed)
    upstream.onStart(() => ({ status: 400, body: { error: 'no' } }))
    await ended(null)
    lost()
    await ended(null)
    answer()
    await readGone((await started({ confirmed: true })).exportId)
    clock.ms += 60_000
    expect([name, await count()]).toEqual([name, 4])
    const etag = (await request('GET')).headers.get('etag') ?? ''
    await clear()
    expect([name, await count()]).toEqual([name, 0])
    expect((await request('GET', '', undefined, { 'if-none-match': etag })).status).toBe(200)
  }
})

test('a success of other pages, of another connection or from an earlier time clears no failure', async () => {
  const { ended, count, db } = await attentionApp()
  await ended(completed)
  const exportId = await ended(failed)
  await ended(completed, { domain: 'api.example.com' })
  await ended(completed, { version: 'v2' })
  await ended(completed, { paths: ['/a'] })
  const elsewhere = await ended(failed, { domain: 'two.example.com' })
  await db.update(staticExports).set({ connectionId: other }).where(isExport(elsewhere))
  await ended(completed, { domain: 'two.example.com' })
  expect(await count()).toBe(2)
  const some = await ended(failed, { paths: ['/a', '/b'], version: 'v2' })
  expect(await count()).toBe(3)
  await ended(completed, { paths: ['/b', '/a'], version: 'v2' })
  expect(await count()).toBe(2)
  await ended(completed)
  expect(await count()).toBe(1)
  expect([exportId, some].includes(elsewhere)).toBe(false)
})

test('a failure seen after a later success needs no attention, even if it is restored to the list', async () => {
  const { ended, count, started, upstream, nextCheck, request, act, clock } = await attentionApp()
  const slow = await started()
  upstream.has(slow.jobId ?? '', { status: 'running' })
  await ended(completed)
  upstream.has(slow.jobId ?? '', failed)
  await nextCheck(slow.exportId)
  expect(await count()).toBe(0)
  clock.ms += 1000
  const removed = await ended(failed)
  expect(await count()).toBe(1)
  await request('DELETE', `/${removed}`)
  expect(await count()).toBe(0)
  await act(removed, 'restore')
  expect(await count()).toBe(1)
  await request('DELETE', `/${removed}`)
  await ended(completed)
  await act(removed, 'restore')
  expect(await count()).toBe(0)
})

test('Dismiss clears one export and can be undone; both are idempotent, audited and in its history', async () => {
  const { ended, count, act, request, audit } = await attentionApp()
  const exportId = await ended(failed)
  await ended(failed)
  const etag = (await request('GET')).headers.get('etag') ?? ''
  for (let time = 0; time < 2; time += 1)
    expect(await act(exportId, 'dismiss')).toMatchObject({ state: 'failed', needsAttention: false })
  expect(await count()).toBe(1)
  expect((await request('GET', '', undefined, { 'if-none-match': etag })).status).toBe(200)
  for (let time = 0; time < 2; time += 1)
    expect(await (await request('DELETE', `/${exportId}/dismiss`)).json()).toMatchObject({ needsAttention: true })
  expect(await count()).toBe(2)
  expect(await audit()).toEqual([
    ['static_export.dismissed', {}],
    ['static_export.dismissal_undone', {}],
  ])
  const { events } = (await (await request('GET', `/${exportId}/history`)).json()) as { events: { kind: string }[] }
  expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['dismissed', 'dismissal_undone'])
  await act(exportId, 'dismiss')
  await request('DELETE', `/${exportId}`)
  await act(exportId, 'restore')
  expect(await count()).toBe(1)
  await ended(completed)
  expect(await (await request('DELETE', `/${exportId}/dismiss`)).json()).toMatchObject({ needsAttention: false })
  expect(await count()).toBe(0)
  expect((await request('POST', `/${randomUUID()}/dismiss`)).status).toBe(404)
})

test('an export that fails again after Dismiss needs attention again', async () => {
  const { count, lost, answer, started, upstream, act, nextCheck } = await attentionApp()
  lost()
  const { exportId } = await started()
  answer()
  await act(exportId, 'dismiss')
  expect(await count()).toBe(0)
  upstream.has('found', { status: 'running' })
  await act(exportId, 'attach', { jobId: 'found' })
  expect(await count()).toBe(0)
  upstream.has('found', failed)
  await nextCheck(exportId)
  expect(await count()).toBe(1)
})

test('of two simultaneous outcomes, the success clears the failure', async () => {
  const { count, started, upstream, act, clock } = await attentionApp()
  for (const place of Array.from({ length: 10 }).keys()) {
    const early = await started({ confirmed: true })
    clock.ms += 60_000
    const late = await started({ confirmed: true })
    upstream.has(early.jobId ?? '', failed)
    upstream.has(late.jobId ?? '', completed)
    await Promise.all((place % 2 === 0 ? [early, late] : [late, early]).map(({ exportId }) => act(exportId, 'check')))
  }
  expect(await count()).toBe(0)
})

test('an upgrade clears only failures that were followed by a success of the same pages', async () => {
  const { ended, count, db } = await attentionApp()
  await ended(failed)
  await ended(failed, { domain: 'two.example.com' })
  await ended(failed, { paths: ['/b', '/a'] })
  await ended(completed)
  await ended(completed, { paths: ['/a', '/b'] })
  await ended(failed)
  await db.update(staticExports).set({ settledTrouble: null })
  expect(await count()).toBe(4)
  const file = join(import.meta.dirname, '../../ground/db/migrations/0007_attention_and_notes.sql')
  const statements = (await readFile(file, 'utf8')).split('--> statement-breakpoint')
  for (const statement of statements.filter((text) => text.includes('UPDATE '))) await db.execute(sql.raw(statement))
  expect(await count()).toBe(2)
})

test('a note shows its last author, the audit has only its length, and an empty note removes it', async () => {
  const { ended, request, read, audit, list } = await attentionApp()
  const exportId = await ended(completed)
  const write = (note: unknown) => request('PATCH', `/${exportId}`, { note })
  expect(await (await write('  waits for\r\nlegal ')).json()).toMatchObject({
    note: { text: 'waits for\nlegal', by: 'Ada' },
  })
  await write('waits for\nlegal')
  expect((await list()).items[0]?.note?.text).toBe('waits for\nlegal')
  for (const wrong of ['x'.repeat(501), 'bell \u0007', null]) expect((await write(wrong)).status).toBe(400)
  await write('')
  expect((await read(exportId)).note).toBeNull()
  expect(await audit()).toEqual([
    ['static_export.note_changed', { characters: 15 }],
    ['static_export.note_changed', { characters: 0 }],
  ])
  expect(JSON.stringify(await (await request('GET', `/${exportId}/history`)).json())).not.toContain('legal')
})
