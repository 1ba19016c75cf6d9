import { randomUUID } from 'node:crypto'
import { listPullRequests } from '@docket/code-hosts/embedded/pull-requests/pull-requests'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { toBranch } from '#agent-jobs/agent-job.ts'
import { startService, writingRunner } from '#testing/agent-service.ts'

/** A runner that prints a line and waits until it is released or stopped. */
const holdRunner = () => {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const runner: typeof writingRunner = {
    ...writingRunner,
    run: async (work, signal) => {
      work.onOutput('at work\n')
      reached.resolve()
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('It was stopped.'))),
      )
      await Promise.race([released.promise, aborted])
      return writingRunner.run(work, signal)
    },
  }
  return { runner, reached: reached.promise, release: released.resolve }
}

test('a process can read the log of a job that another process runs, and cancel it', async () => {
  const held = holdRunner()
  const web = await startService({ limits: { atOnce: 0 } })
  const { dataDir, database, source } = web
  const { id } = await web.create('page')
  const second = await web.create('other')
  // One worker: two that look at the same moment both step back, and then either job may be the first.
  await startService({ dataDir, database, source, ...held, limits: { atOnce: 1 } })
  await held.reached
  const job = async () => (await web.service.get('docs', id))!
  await expect.poll(async () => (await web.service.live(await job())).lastLine).toBe('at work')
  const waiting = (await web.service.get('docs', second.id))!
  expect(await web.service.live(waiting)).toEqual({ queuePosition: 1, lastLine: null })
  expect(await web.service.readLog(await job(), 0)).toMatchObject({
    text: expect.stringContaining('at work') as unknown,
    ended: false,
  })
  await expect(web.service.cancel('docs', id)).resolves.toMatchObject({
    status: 'failed',
    turns: [{ outcome: 'cancelled' }],
  })
  expect(await web.service.readLog(await job(), 0)).toMatchObject({ ended: true })
  held.release()
  expect((await web.finished(second.id)).status).toBe('completed')
})

test('no push begins after another process accepted a cancel', async () => {
  const committing = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const worker = await startService({
    watch: (project) => ({
      ...project,
      git: async (args, options) => {
        if (args[0] !== 'commit-tree') return project.git(args, options)
        committing.resolve()
        await goOn.promise
        return project.git(args, options)
      },
    }),
  })
  const { dataDir, database, source } = worker
  const web = await startService({ dataDir, database, source, limits: { atOnce: 0 } })
  const { id } = await web.create('page')
  await committing.promise
  const cancelled = web.service.cancel('docs', id)
  await expect.poll(async () => (await web.service.get('docs', id))!.turns[0]!.cancelAskedAt).not.toBe(null)
  goOn.resolve()
  expect(await cancelled).toMatchObject({ turns: [{ outcome: 'cancelled', commit: null }] })
  expect(await worker.project.readHead(toBranch({ id }))).toBe(null)
})

test('a job whose worker is lost after its push is finished by another worker, and the lost one changes nothing more', async () => {
  const pushed = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const first = await startService({
    watch: (project) => ({
      ...project,
      push: async (...order) => {
        await project.push(...order)
        pushed.resolve()
        await goOn.promise
      },
    }),
  })
  const { dataDir, database, source } = first
  const { id } = await first.create('page')
  await pushed.promise
  // As pg-boss leaves the entry of a worker whose heartbeat ended.
  await database.execute(sql`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`)
  const second = await startService({ dataDir, database, source })
  const settled = await second.finished(id)
  expect(settled).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  goOn.resolve()
  await first.service.close()
  expect(await second.service.get('docs', id)).toEqual(settled)
  const pulls = await listPullRequests((await second.repositories.open('docs'))!)
  expect(pulls.map(({ branch }) => branch)).toEqual([toBranch({ id })])
})

test('a worker that lost its job before the push pushes nothing, and a turn is given up after ten lost workers', async () => {
  const held = holdRunner()
  const first = await startService(held)
  const { dataDir, database, source } = first
  const { id } = await first.create('page')
  await held.reached
  await database.execute(
    sql`update embedded_service.agent_jobs set attempt_id = ${randomUUID()}::uuid, losses = 9 where id = ${id}`,
  )
  held.release()
  await first.service.close()
  expect(await first.project.readHead(toBranch({ id }))).toBe(null)
  await database.execute(sql`update embedded_service.agent_jobs set queued_at = null where id = ${id}`)
  const second = await startService({ dataDir, database, source })
  expect((await second.finished(id)).turns[0]).toMatchObject({
    outcome: 'failed',
    report: [expect.stringContaining('given up after ten attempts') as unknown],
  })
})
