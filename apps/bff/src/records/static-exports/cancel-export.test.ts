import { History } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { staticExportsApp } from './testing/static-exports-app.ts'

const running = { status: 'running', progress: 40, pageCount: 4 }
const cancelled = { status: 'failed', progress: 40, pageCount: 4, error: 'cancelled' }

/** A running export of Docket's own service, or of another one. */
const runningExport = async ({ embedded = true } = {}) => {
  const app = await staticExportsApp({ embedded })
  const { exportId, jobId } = await app.started()
  app.upstream.has(jobId!, running)
  await app.nextCheck(exportId)
  return {
    ...app,
    exportId,
    jobId: jobId!,
    cancel: () => app.act(exportId, 'cancel'),
    refusedCancel: () => app.refused(app.request('POST', `/${exportId}/cancel`)),
    kinds: async () =>
      History.parse(await (await app.request('GET', `/${exportId}/history`)).json()).events.map(({ kind, by }) => [
        kind,
        by,
      ]),
    audited: async () =>
      (await app.db.select().from(auditEvents).orderBy(auditEvents.auditId)).map(({ action }) => action),
  }
}

test('a running export is cancelled with one call, in history and audit, and needs no attention', async () => {
  const { upstream, exportId, jobId, cancel, refusedCancel, read, list, kinds, audited, request } =
    await runningExport()
  expect((await read(exportId)).actions).toEqual({ cancel: null })
  upstream.onCancel(() => ({ body: { jobId, ...cancelled } }))
  expect(await cancel()).toMatchObject({
    state: 'failed',
    reason: 'cancelled',
    needsAttention: false,
    nextCheckAt: expect.any(String) as unknown,
    actions: { cancel: 'This export is over.' },
  })
  expect(await refusedCancel()).toMatchObject({ status: 409, message: 'This export is over.' })
  expect(upstream.cancels).toEqual([`/v1/static-export/jobs/${jobId}`])
  expect((await list('?attention=true')).items).toEqual([])
  expect((await list('?group=failed')).items).toHaveLength(1)
  expect((await kinds()).slice(-2)).toEqual([
    ['cancel_requested', expect.any(String)],
    ['cancelled', null],
  ])
  expect((await audited()).at(-1)).toBe('static_export.cancelled')
  expect(await (await request('GET', '/export.csv')).text()).toMatch(/,cancelled,/)
})

test('a cancellation that the service refuses or leaves unanswered keeps the export, reports the failure, and reads it again', async () => {
  const { upstream, exportId, jobId, refusedCancel, read, kinds, pass } = await runningExport()
  upstream.onCancel(() => ({ status: 409, body: { error: 'The export is completed' } }))
  expect((await refusedCancel()).message).toMatch(/The export is over.*“The export is completed”/)
  upstream.onCancel(() => ({ status: 405, body: {} }))
  expect((await refusedCancel()).message).toMatch(/no way to cancel an export/)
  upstream.onCancel(() => 'reset')
  expect((await refusedCancel()).message).toMatch(/may have been cancelled anyway/)
  expect((await kinds()).map(([kind]) => kind).filter((kind) => kind === 'action_failed')).toHaveLength(3)
  expect((await read(exportId)).state).toBe('accepted')
  upstream.has(jobId, cancelled)
  await pass()
  expect(await read(exportId)).toMatchObject({ state: 'failed', reason: 'cancelled', needsAttention: false })
})

test('a cancellation is never sent to an external service', async () => {
  const { upstream, exportId, read, refusedCancel } = await runningExport({ embedded: false })
  expect((await read(exportId)).actions).toBeNull()
  expect(await refusedCancel()).toMatchObject({
    status: 409,
    message: expect.stringMatching(/no way to cancel/) as unknown,
  })
  expect(upstream.cancels).toEqual([])
})
