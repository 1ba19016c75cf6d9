import { json } from 'node:stream/consumers'
import { standInServer } from '#testing/stand-in-server.ts'

/**
 * An Admin API over real HTTP that accepts only its keys and answers any other with 401. Starts return the ids
 * `<name>-1` and so on, which then are running; every other id is a 404. `seen` lists the calls with their keys.
 */
export const keyedService = async (name: string, keys: readonly string[]) => {
  const good = new Set(keys)
  const jobs = new Map<string, object>()
  const seen: { method: string; path: string; key: string }[] = []
  let starts = 0
  let status: number | null = null

  const server = await standInServer((request, response) => {
    const answer = async () => {
      const path = request.url ?? ''
      const key = (request.headers.authorization ?? '').replace('Bearer ', '')
      seen.push({ method: request.method ?? '', path, key })
      const reply = (code: number, body: object) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (!good.has(key)) return reply(401, { error: 'Unknown key' })
      if (status !== null) return reply(status, { error: 'Refused' })
      if (request.method === 'POST' && path.endsWith('/static-export/jobs')) {
        await json(request)
        starts += 1
        const jobId = `${name}-${starts}`
        jobs.set(`/v1/static-export/jobs/${jobId}`, { jobId, status: 'running', progress: 40 })
        return reply(202, { jobId })
      }
      const job = jobs.get(path)
      return job === undefined ? reply(404, { error: 'Job not found' }) : reply(200, job)
    }
    void answer()
  })
  return {
    url: server.url,
    seen,
    /** Answers every call with this status, until it is set to null. */
    answerAll: (code: number | null) => void (status = code),
    /** Accepts only these keys from now on. */
    accept: (...next: string[]) => {
      good.clear()
      for (const key of next) good.add(key)
    },
    has: (path: string, body: object) => void jobs.set(path, body),
    close: server.close,
  }
}
