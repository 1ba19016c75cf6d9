import { randomUUID } from 'node:crypto'
import {
  AgentJob,
  AgentJobChecks,
  AgentJobList,
  FollowAgentJobsResult,
  type AgentJobKey,
} from '@docket/api-types/agent-jobs'
import { AgentPromptList, SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { and, eq } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { agentJobStandIn } from '#records/agent-jobs/testing/stand-in.ts'
import { testDatabase } from '#testing/database.ts'
import { testApp } from '#testing/test-app.ts'

/** The job most tests follow. */
export const key: AgentJobKey = { projectId: 'docs', id: 'job_1' }

/** `/api/agent-jobs…` of a job. */
export const toPath = ({ projectId, id }: AgentJobKey, action = '') =>
  `/api/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}${action}`

/** Calls an hour; the usual number when it is left out. */
type Budget = { callsPerHour?: number; agentJobCreation?: boolean }

/**
 * The whole server against a stand-in of the service, with a clock that moves by hand. `process()` starts another
 * Docket on the same database. Nothing runs by itself: `pass()` is one pass of the watcher with all its checks.
 */
export const agentJobsApp = async ({
  embedded = false,
  alone = false,
  ...first
}: Budget & { embedded?: boolean; alone?: boolean } = {}) => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  const upstream = await agentJobStandIn()
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }

  const process = async (budget: Budget = {}) => {
    const app = await testApp({
      ...budget,
      database,
      upstream: { url: upstream.url, key: 'test_key' },
      now: () => clock.ms,
      mode: embedded ? 'local' : 'connected',
      alone,
    })
    onTestFinished(app.close)
    const { watcher } = app.services.records.connections.all()[0]!.jobs
    const pass = async () => {
      watcher.start()
      await watcher.stop()
    }
    const sentBy = async (response: Promise<Response>) => SentAgentPrompt.parse(await (await response).json())
    const promptsAt = async (path: string) => AgentPromptList.parse(await (await app.get(path)).json()).prompts
    const nextCheckAt = async ({ projectId, id }: AgentJobKey) => {
      const ofJob = and(eq(agentJobs.projectId, projectId), eq(agentJobs.id, id))
      const [row] = await database.db.select({ at: agentJobs.nextCheckAt }).from(agentJobs).where(ofJob)
      return row?.at ?? null
    }
    const read = async (job = key) => AgentJob.parse(await (await app.get(toPath(job))).json())
    return {
      get: app.get,
      post: app.post,
      remove: app.delete,
      watcher,
      pass,
      whole: app,
      /** Asks for a job in the project `docs`; answers with what became of it. */
      create: (more: object = {}) =>
        sentBy(
          app.post('/api/agent-prompts', { requestId: randomUUID(), projectId: 'docs', prompt: 'fix typos', ...more }),
        ),
      /** Sends a follow-up to a job. */
      message: (more: object = {}, to = key) =>
        sentBy(app.post(toPath(to, '/messages'), { requestId: randomUUID(), prompt: 'format', ...more })),
      listPrompts: (job = key) => promptsAt(toPath(job, '/prompts')),
      openPrompts: () => promptsAt('/api/agent-prompts'),
      /** Decides about a prompt whose outcome is unknown. */
      decide: (requestId: string, action: string, body?: unknown) =>
        sentBy(app.post(`/api/agent-prompts/${requestId}/${action}`, body)),
      read,
      follow: async (...jobs: AgentJobKey[]) =>
        FollowAgentJobsResult.parse(await (await app.post('/api/agent-jobs', { jobs })).json()).results,
      list: async (query = '') => AgentJobList.parse(await (await app.get(`/api/agent-jobs${query}`)).json()),
      checks: async (query = '') =>
        AgentJobChecks.parse(await (await app.get(`/api/agent-jobs/checks${query}`)).json()).checks,
      /** Moves the clock to the next check of a job, unless it is past that, and lets the watcher run. Answers with the job. */
      nextCheck: async (job = key) => {
        const at = await nextCheckAt(job)
        if (at) clock.ms = Math.max(clock.ms, at.getTime())
        await pass()
        return read(job)
      },
      /** Lets the watcher run until `ms` after now, while nobody looks. Answers with the job. */
      checkUntil: async (ms: number, job = key) => {
        const until = clock.ms + ms
        for (let at = await nextCheckAt(job); at && at.getTime() <= until; at = await nextCheckAt(job)) {
          clock.ms = at.getTime()
          await pass()
        }
        clock.ms = until
        return read(job)
      },
    }
  }

  // Registered first, so that it runs last.
  onTestFinished(upstream.close)
  return { db: database.db, upstream, clock, process, ...(await process(first)) }
}
