import { setTimeout as delay } from 'node:timers/promises'
import {
  drip,
  flood,
  hang,
  hostileAdminApi,
  raw,
  reply,
  replyJson,
  reset,
  stall,
} from '#service/admin-api/testing/hostile-admin-api.ts'
import type { Behaviour } from '#service/admin-api/testing/hostile-admin-api.ts'

/** Secrets that Docket must never reveal, by name. */
export const canaries = {
  key: 'adm_canary-of-the-key-7Qx2Lm9Zt4',
  link: 'canaryOfTheLinkB8fVw3',
} as const

// An address of this machine, so that no DNS or network is needed: it is refused.
const bundle = `https://127.0.0.1:9/bundle.tar.gz?X-Amz-Signature=${canaries.link}&X-Amz-Expires=900`

/** A successful response to every operation. */
const good = (path: string, method: string): unknown => {
  if (path.includes('/v2/'))
    return {
      id: decodeURIComponent(/\/job\/([^/]+)/.exec(path)?.[1] ?? 'job'),
      status: 'active',
      source: { repository: 'https://git.example.com/a/b', ref: 'main' },
      model: 'm',
      prLink: null,
    }
  if (path.endsWith('/bundle')) return { bundleUrl: bundle, expiresAt: new Date(Date.now() + 900_000).toISOString() }
  return method === 'POST' ? { jobId: `job-${Math.random()}` } : { status: 'running', progress: 12, pageCount: 3 }
}

const echo =
  (status: number): Behaviour =>
  (socket, request) =>
    replyJson(
      status,
      {
        error: `No: ${request.headers['authorization']?.replace('Bearer ', 'key ')} at ${bundle}`,
        stack: JSON.stringify(request.headers),
      },
      { 'retry-after': '1', 'set-cookie': `key=${canaries.key}`, 'x-key': canaries.key, location: bundle },
    )(socket, request)

/** Returns all failures in turn, with successful responses between them, so that records reach every state. */
const faults: readonly Behaviour[] = [
  echo(400),
  echo(404),
  reset,
  echo(422),
  reply(500, `<h1>Error</h1><pre>at ${canaries.key} ${bundle}</pre>`, { 'content-type': 'text/html' }),
  hang,
  replyJson(200, {
    status: canaries.key,
    jobId: { a: 1 },
    bundleUrl: [bundle],
    error: canaries.key,
    prLink: `javascript:${canaries.key}`,
  }),
  echo(307),
  stall,
  echo(429),
  reply(200, '{"status":'),
  raw(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
  echo(503),
  reply(200, '\0\0\0', { 'content-encoding': 'gzip' }),
  replyJson(200, null),
  flood,
  echo(409),
  drip,
  raw(`SSH-2.0-${canaries.key}\r\n`),
  echo(401),
  replyJson(200, { status: 'completed', progress: 1e308, pageCount: -1, error: `${bundle}\0\ud800` }),
  echo(403),
]

/** An Admin API that fails differently at every call, and includes its secrets in every failure. */
export const failingService = async () => {
  let calls = 0
  const service = await hostileAdminApi(async (socket, request) => {
    const number = (calls += 1)
    if (number % 3 !== 0) return replyJson(200, good(request.path, request.method))(socket, request)
    // Endless answers would keep this process busy too.
    void delay(6_000, undefined, { ref: false }).then(() => socket.destroy())
    return faults[(number / 3) % faults.length]!(socket, request)
  })
  return { url: service.baseUrl, calls: () => calls, close: service.close }
}
