import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { callTurnstile, standInServer } from '#testing/stand-in-server.ts'

/** Answer of the stand-in; text is sent as it is, anything else as JSON. `'reset'` accepts the request and cuts the connection. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | 'reset'

/**
 * An Admin API with the two paths of a static export (§4.2, §4.3) over real HTTP on loopback: starts answer what
 * `onStart` says (the next jobId when it says nothing), reads what a test set for the job. `starts` are the bodies of
 * the starts, `reads` the paths read.
 */
export const staticExportStandIn = async () => {
  const jobs = new Map<string, Answer>()
  const starts: { domain?: string }[] = []
  const reads: string[] = []
  const cancels: string[] = []
  let onCancel: (() => Answer) | null = null
  let onStart: ((place: number) => Answer) | null = null
  const turnstile = callTurnstile()

  const decide = async (request: IncomingMessage): Promise<Answer> => {
    const path = request.url ?? ''
    if (request.method === 'DELETE') {
      cancels.push(path)
      return onCancel?.() ?? { status: 405, body: { error: 'Method not allowed' } }
    }
    if (request.method !== 'POST') {
      reads.push(path)
      return jobs.get(path) ?? { status: 404, body: { error: 'Job not found' } }
    }
    starts.push(JSON.parse(await text(request)) as { domain?: string })
    return onStart?.(starts.length) ?? { status: 202, body: { jobId: `job-${starts.length}` } }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // Decided now, sent later: a late answer is an old one.
    const decided = await decide(request)
    await turnstile.pass()
    if (decided === 'reset') return request.socket.destroy()
    const { status = 200, headers = {}, body } = decided
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = await standInServer((request, response) => void answer(request, response))

  return {
    url: server.url,
    starts,
    reads,
    /** Paths of cancelled jobs. */
    cancels,
    /** Decides about every cancellation; 405 without a decision. */
    onCancel: (decision: () => Answer) => void (onCancel = decision),
    /** Sets what one job looks like. */
    has: (jobId: string, body: unknown) =>
      void jobs.set(`/v1/static-export/jobs/${encodeURIComponent(jobId)}`, { body }),
    /** Sets the whole answer for one job. */
    answers: (jobId: string, to: Answer) => void jobs.set(`/v1/static-export/jobs/${encodeURIComponent(jobId)}`, to),
    /** Decides about the n-th start, counted from 1; null for plain success. */
    onStart: (decision: ((place: number) => Answer) | null) => void (onStart = decision),
    holdNext: turnstile.holdNext,
    /** Resolves when it was asked so often in all. */
    asked: (times: number) => turnstile.reached(() => starts.length + reads.length, times),
    close: server.close,
  }
}
