import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mayUse } from '#http/access/access.ts'
import type { Identify, Identity } from '#identity/identity.ts'
import { varies, type PolledAnswers } from '#http/polled/polled-answers.ts'
import type { Answered } from '#http/request-context.ts'
import { isOwnHost, type OwnHosts } from '#http/access/own-hosts.ts'
import { securityHeadersOf } from '#http/security-headers.ts'
import type { Log } from '#log/log.ts'

/** What was answered before was for readers of everything. */
const seesEverything = (identity: Identity) => identity?.kind === 'person'

/**
 * Answers polls that find nothing new before the router sees them: most requests are such polls. Only for an address that was answered
 * the whole way before, under one of Docket's own names, to somebody who may read it; with the same headers, line in the log and count as every answer.
 * Whatever is in doubt goes the whole way.
 */
export const unchangedFirst = (options: {
  polled: PolledAnswers
  hosts: OwnHosts
  log: Log
  identify: Identify
  draining?: () => boolean
  onAnswer?: (answered: Answered) => void
}): ((request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false) => {
  const { polled, hosts, log, identify, draining = () => false, onAnswer } = options
  const sameForAll = Object.entries({
    ...securityHeadersOf(hosts.publicUrl),
    'Cache-Control': 'no-store',
    Vary: varies,
  }).flat()

  return (request, response) => {
    const { method, url = '', headers } = request
    const held = headers['if-none-match']
    if (method !== 'GET' || held === undefined || draining()) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    if (!isOwnHost(headers.host, hosts)) return false
    const startedAt = performance.now()
    const found = polled.unchanged(url, held)
    if (found === null) return false
    const { cookie, authorization } = headers
    const asking = identify({ cookie, authorization }).catch(() => null)
    return Promise.all([found, asking]).then(([unchanged, identity]) => {
      if (unchanged === null || !seesEverything(identity) || !mayUse(identity, `GET ${unchanged.route}`)) return false
      const requestId = randomUUID()
      response.writeHead(304, [...sameForAll, 'ETag', unchanged.etag, 'X-Request-Id', requestId]).end()
      const ms = performance.now() - startedAt
      if (log.isLevelEnabled('debug')) {
        const path = url.split('?', 1)[0]
        log.debug({ requestId, method, path, status: 304, ms: Math.round(ms) }, 'answered')
      }
      onAnswer?.({ method, route: unchanged.route, status: 304, ms })
      return true
    })
  }
}
