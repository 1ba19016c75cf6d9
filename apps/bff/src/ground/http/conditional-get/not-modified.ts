import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mayUse } from '#ground/http/access/access.ts'
import { readScope, seesEverything } from '#ground/http/access/token-scope.ts'
import type { Identify } from '#ground/identity/identity.ts'
import { isOwnHost, type OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import type { Answered } from '#ground/http/request-context.ts'
import { buildSecurityHeaders } from '#ground/http/security-headers.ts'
import type { Log } from '#ground/log/log.ts'

/**
 * Answers unchanged polls with 304 before the router, which costs several times as much; most requests are such polls.
 * Requires a person who may read the address and sees every record, an address that the router has answered before, and one of Docket's own
 * host names. Sends the router's headers, log line and metrics. Returns false for any other request, which then goes to
 * the router.
 */
export const answerUnchanged = (options: {
  polled: ConditionalGet
  hosts: OwnHosts
  log: Log
  identify: Identify
  draining?: () => boolean
  onAnswer?: (answered: Answered) => void
}): ((request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false) => {
  const { polled, hosts, log, identify, draining = () => false, onAnswer } = options
  const commonHeaders = Object.entries({
    ...buildSecurityHeaders(hosts.publicUrl),
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding',
  }).flat()

  return (request, response) => {
    const { method, url = '', headers } = request
    const ifNoneMatch = headers['if-none-match']
    if (method !== 'GET' || ifNoneMatch === undefined || draining()) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    if (!isOwnHost(headers.host, hosts)) return false
    const startedAt = performance.now()
    const found = polled.findUnchanged(url, ifNoneMatch)
    if (found === null) return false
    const { cookie, authorization } = headers
    const asking = identify({ cookie, authorization }).catch(() => null)
    return Promise.all([found, asking]).then(([unchanged, identity]) => {
      if (unchanged === null || identity?.kind !== 'person' || !seesEverything(readScope(identity))) return false
      if (!mayUse(identity, `GET ${unchanged.route}`)) return false
      const requestId = randomUUID()
      response.writeHead(304, [...commonHeaders, 'ETag', unchanged.etag, 'X-Request-Id', requestId]).end()
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
