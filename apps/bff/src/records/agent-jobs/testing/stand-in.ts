import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { callTurnstile, standInServer } from '#testing/stand-in-server.ts'

/** Answer of the stand-in; a plain object is sent as JSON with 200. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** A complete agent job as the service sends it (Admin API §2.1). */
export const wireJob = (more: object = {}) => ({
  id: 'job_1',
  status: 'active',
  source: { repository: 'https://github.com/acme/docs', ref: 'main' },
  model: 'sonnet-1',
  prLink: null,
  createdAt: '2026-05-01T09:58:00.000Z',
  archivedAt: null,
  ...more,
})

/** What Docket's own service adds. */
export const story = {
  title: null,
  report: null,
  error: null,
  startedAt: '2026-05-01T09:59:00.000Z',
  finishedAt: null,
  queuePosition: null,
  lastLine: null,
  diffStat: null,
  usage: null,
  pullRequest: null,
}

/** A completed one. */
export const completedJob = (more: object = {}) => wireJob({ status: 'completed', ...more })

/** A prompt that arrived: at which path, and what it says. */
type Post = { path: string; prompt: string }

/** Answer to a prompt; `'reset'` accepts the prompt and cuts the connection. */
export type PromptAnswer = Answer | 'reset'

/**
 * An Admin API that answers the one path of agent jobs (§4.1) with whatever a test sets, over real HTTP on loopback.
 * Prompts are taken in as `onPost` decides. `calls` are the raw paths it was asked for, `posts` the prompts among them;
 * `inFlightPeak` the most reads of one path at the same time.
 */
export const agentJobStandIn = async () => {
  const answers = new Map<string, Answer>()
  const calls: string[] = []
  const posts: Post[] = []
  let onPost: ((post: Post, place: number) => PromptAnswer) | null = null
  const inFlight = new Map<string, number>()
  const turnstile = callTurnstile()
  let everything: Answer | null = null
  let inFlightPeak = 0

  const toPath = (projectId: string, id: string) =>
    `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`

  const decided = async (path: string, request: IncomingMessage) => {
    const post = { path, ...(JSON.parse(await text(request)) as { prompt: string }) }
    posts.push(post)
    return onPost?.(post, posts.length)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    calls.push(path)
    inFlight.set(path, (inFlight.get(path) ?? 0) + 1)
    inFlightPeak = Math.max(inFlightPeak, inFlight.get(path) ?? 0)
    // Decided now, sent later: a late answer is an old one.
    const known = request.method === 'POST' ? await decided(path, request) : answers.get(path)
    const found = everything ?? known ?? { status: 404, body: { error: 'Job not found' } }
    await turnstile.pass()
    if (found === 'reset') return request.socket.destroy()
    const { status = 200, headers = {}, body } = found
    inFlight.set(path, (inFlight.get(path) ?? 1) - 1)
    return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const server = await standInServer((request, response) => void answer(request, response))

  return {
    url: server.url,
    calls,
    posts,
    /** Decides about a prompt; `place` counts from 1. Without one nothing is known here: 404. */
    onPost: (decision: typeof onPost) => void (onPost = decision),
    inFlightPeak: () => inFlightPeak,
    /** Sets what one job looks like, under its own id. */
    has: (job: object, { projectId = 'docs', id = 'job_1' } = {}) =>
      void answers.set(toPath(projectId, id), { body: { ...job, id } }),
    /** Sets the whole answer for one job. */
    answers: (to: Answer, { projectId = 'docs', id = 'job_1' } = {}) => void answers.set(toPath(projectId, id), to),
    /** Sets the whole answer at a path below a job, such as its log. */
    answersBelow: (path: string, body: object) => void answers.set(`${toPath('docs', 'job_1')}${path}`, { body }),
    /** Makes every path answer the same, until null. */
    always: (to: Answer | null) => void (everything = to),
    holdNext: turnstile.holdNext,
    /** Resolves when it was asked so often. */
    asked: (times: number) => turnstile.reached(() => calls.length, times),
    close: server.close,
  }
}
