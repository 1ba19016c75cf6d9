import { AgentJob, AgentJobList, FollowAgentJobsResult, type AgentJobKey } from '@docket/api-types/agent-jobs'
import { OpenAPIHono } from '@hono/zod-openapi'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { httpAdminApi } from '#admin-api/http-admin-api.ts'
import { agentJobRoutes } from '#agent-jobs/agent-jobs.routes.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { agentJobStandIn } from '#agent-jobs/testing/stand-in.ts'
import { isDatabaseUnavailable } from '#db/unavailable.ts'
import type { AppEnv } from '#http/app-env.ts'
import { onError } from '#http/on-error.ts'
import { testDatabase } from '#testing/database.ts'

const log = pino({ level: 'silent' })

/** The job most tests follow. */
export const key: AgentJobKey = { projectId: 'docs', id: 'job_1' }

/** `/api/agent-jobs…` of a job. */
export const pathOf = ({ projectId, id }: AgentJobKey, action = '') =>
  `/api/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}${action}`

/**
 * Agent jobs through HTTP on a real database, against a stand-in of the service, with a clock that moves by hand. `process()`
 * starts another Docket on the same database. Nothing runs by itself: `pass()` is one pass of the watcher with all its checks.
 */
export const agentJobsApp = async ({ embedded = false } = {}) => {
  const [{ db, drop }, upstream] = await Promise.all([testDatabase(), agentJobStandIn()])
  const adminApi = httpAdminApi({ baseUrl: upstream.url, key: () => 'test_key' })
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }

  const process = () => {
    const service = agentJobService({ db, adminApi, now: () => clock.ms, log, embedded })
    const app = new OpenAPIHono<AppEnv>()
    app.use(async (c, next) => {
      c.set('requestId', 'test')
      c.set('log', log)
      await next()
    })
    app.onError(onError(isDatabaseUnavailable))
    app.route('/api/agent-jobs', agentJobRoutes(service))
    const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      app.request(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const pass = async () => {
      service.watcher.start()
      await service.watcher.stop()
    }
    const read = async (of = key) => AgentJob.parse(await (await request('GET', pathOf(of))).json())
    return {
      service,
      request,
      pass,
      read,
      follow: async (...jobs: AgentJobKey[]) =>
        FollowAgentJobsResult.parse(await (await request('POST', '/api/agent-jobs', { jobs })).json()).results,
      list: async (query = '') => AgentJobList.parse(await (await request('GET', `/api/agent-jobs${query}`)).json()),
      /** Moves the clock to the next check of a job and lets the watcher run. Answers with the job. */
      nextCheck: async (of = key) => {
        const { nextCheckAt } = await read(of)
        if (nextCheckAt !== null) clock.ms = Date.parse(nextCheckAt)
        await pass()
        return read(of)
      },
    }
  }

  onTestFinished(async () => {
    await Promise.all([adminApi.close(), upstream.close()])
    await drop()
  })
  return { db, upstream, clock, process, ...process() }
}
