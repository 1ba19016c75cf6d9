import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '@docket/code-hosts/code-host'
import { listPullRequests } from '@docket/code-hosts/embedded/pull-requests/pull-requests'
import { temporaryFolder } from '@docket/sources/testing/files'
import { expect, onTestFinished, test } from 'vitest'
import { toBranch } from '#agent-jobs/agent-job.ts'
import { isRefusal } from '#agent-jobs/agent-jobs.service.ts'
import { copyJobs, startService, writingRunner } from '#testing/agent-service.ts'

type Phase = 'waiting' | 'checking out' | 'running' | 'committing' | 'pushing' | 'pushed' | 'opening' | 'opened'

/** Holds the job `held` at one place of its work, until it is released or aborted. */
const holdAt = (phase: Phase) => {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const hold = async (at: Phase, signal?: AbortSignal) => {
    if (at !== phase) return
    reached.resolve()
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('It was stopped.'))),
    )
    await Promise.race([released.promise, aborted])
  }
  const watch = (project: Project): Project => ({
    ...project,
    git: async (args, options) => {
      if (args[0] === 'commit-tree') await hold('committing')
      return project.git(args, options)
    },
    base: async (signal) => {
      await hold('checking out', signal)
      return project.base(signal)
    },
    push: async (branch, commit, signal) => {
      await hold('pushing', signal)
      await project.push(branch, commit, signal)
      await hold('pushed', signal)
    },
    openOrFindPullRequest: async (request, signal) => {
      await hold('opening', signal)
      const pull = await project.openOrFindPullRequest(request, signal)
      await hold('opened', signal)
      return pull
    },
  })
  const runner = {
    ...writingRunner,
    run: async (...[work, signal]: Parameters<typeof writingRunner.run>) => {
      await hold(work.prompt === 'before' ? 'waiting' : 'running', signal)
      return writingRunner.run(work, signal)
    },
  }
  return { watch, runner, reached: reached.promise, release: released.resolve }
}

/** What is at the code host and on the disk for a job. */
const traces = async ({ project, repositories }: Awaited<ReturnType<typeof startService>>, id: string) => {
  const pulls = await listPullRequests((await repositories.open('docs'))!)
  const branch = toBranch({ id })
  return {
    hasBranch: (await project.readHead(branch)) !== null,
    pulls: pulls.filter((pull) => pull.branch === branch).length,
  }
}

const nothing = { hasBranch: false, pulls: 0 }
const onePullRequest = { hasBranch: true, pulls: 1 }

/** Gives this test a temporary folder of its own, and lists the work folders in it. */
const useTemporaryFolder = async () => {
  const folder = await temporaryFolder()
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  onTestFinished(() => void (TMPDIR === undefined ? delete process.env.TMPDIR : (process.env.TMPDIR = TMPDIR)))
  return async () => (await readdir(folder)).filter((name) => name.startsWith('docket-work-'))
}

test.each<[Phase, afterCancel: 'cancelled' | 'completed', afterKill: 'failed' | 'completed']>([
  ['waiting', 'cancelled', 'completed'],
  ['checking out', 'cancelled', 'failed'],
  ['running', 'cancelled', 'failed'],
  ['committing', 'cancelled', 'failed'],
  ['pushing', 'completed', 'failed'],
  ['pushed', 'completed', 'completed'],
  ['opened', 'completed', 'completed'],
])('while %s: after a cancel it is %s, after kill -9 it is %s, and nothing is left', async (...row) => {
  const [phase, afterCancel, afterKill] = row
  const held = holdAt(phase)
  const workFolders = await useTemporaryFolder()
  const started = await startService(held)
  const { service, create, dataDir, database, source, finished } = started
  if (phase === 'waiting') await create('before')
  const { id } = await create('page')
  await held.reached
  // The disk as kill -9 leaves it.
  const image = join(await temporaryFolder(), 'image')
  await cp(dataDir, image, { recursive: true })
  const rows = await copyJobs(database)

  const cancelled = service.cancel('docs', id)
  // Asking twice changes nothing.
  const twice = service.cancel('docs', id)
  if (phase !== 'waiting') held.release()
  expect([isRefusal(await cancelled), isRefusal(await twice)]).toEqual([false, false])
  const job = await finished(id)
  expect(job.turns[0]!.outcome).toBe(afterCancel)
  expect(await traces(started, id)).toEqual(afterCancel === 'cancelled' ? nothing : onePullRequest)
  const again = await service.cancel('docs', id)
  expect(isRefusal(again) ? again.kind : again.status).toBe(afterCancel === 'cancelled' ? 'failed' : 'conflict')
  held.release()
  await service.close()
  expect(await workFolders()).toEqual([])

  const revived = await startService({ dataDir: image, database: rows, source })
  const settled = await revived.finished(id)
  expect([settled.status, await traces(revived, id)]).toEqual([
    afterKill,
    afterKill === 'completed' ? onePullRequest : nothing,
  ])
  // Nothing stands in the way of the next message.
  expect((await revived.run('more', id)).status).toBe('completed')
  await revived.service.close()
  expect(await workFolders()).toEqual([])
})

test('a cancel survives kill -9, and a hanging push is abandoned without leaving a branch', async () => {
  const held = holdAt('pushing')
  const started = await startService({ ...held, limits: { pushGraceMs: 200 } })
  const { service, create, dataDir, database, source, finished } = started
  const { id } = await create('page')
  await held.reached
  const cancelling = service.cancel('docs', id)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const image = join(await temporaryFolder(), 'image')
  await cp(dataDir, image, { recursive: true })
  const rows = await copyJobs(database)
  await cancelling
  expect((await finished(id)).turns[0]).toMatchObject({ outcome: 'cancelled', report: ['The job was cancelled.'] })
  expect(await traces(started, id)).toEqual(nothing)

  const revived = await startService({ dataDir: image, database: rows, source })
  expect((await revived.finished(id)).turns[0]!.outcome).toBe('cancelled')
  expect(await traces(revived, id)).toEqual(nothing)
})

test('a job whose pull request could not be opened fails with the reason and a remedy that works', async () => {
  let isDown = true
  const watch = (project: Project): Project => ({
    ...project,
    openOrFindPullRequest: (request, signal) =>
      isDown
        ? Promise.reject(new Error('Resource protected by organization SAML enforcement.'))
        : project.openOrFindPullRequest(request, signal),
  })
  const started = await startService({ watch })
  const { run, service } = started
  const failed = await run('page')
  expect(failed.turns[0]!.report).toEqual([
    'Resource protected by organization SAML enforcement.',
    `The commit is on the branch ${toBranch(failed)}. A message to the job opens its pull request.`,
  ])
  expect((await service.changes('docs', failed.id))?.total).toBe(1)
  isDown = false
  const mended = await run('page', failed.id)
  expect([mended.status, mended.pullRequest?.number, mended.turns[1]!.report[0]]).toEqual([
    'completed',
    1,
    'Nothing to change.',
  ])
})
