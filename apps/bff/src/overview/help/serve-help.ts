import type { IncomingMessage, ServerResponse } from 'node:http'
import { addQuery } from '@docket/site-bundle/locator/addresses'
import { respondWithFile } from '@docket/site-bundle/serve/respond'
import { isOwnHost, type OwnHosts } from '#ground/http/access/own-hosts.ts'
import { createRefusal, sendBody } from '#ground/http/server/send-file.ts'
import type { Log } from '#ground/log/log.ts'
import { createHostedFiles } from '#releases/hosting/hosted-files.ts'
import type { HostedHosts } from '#releases/hosting/hosted-hosts.ts'
import type { Guide } from './stored-guide.ts'

/** Path to which the pages of Docket link for the guide, such as `/help/exports/start`. */
const helpPath = '/help'
/** The guide is hosted as the main channel of a site with this label, which no site may have. */
const channel = { label: 'docket-help', name: 'production', hostname: null, access: 'public' } as const

/** A request for the guide. `prefix` is empty at the guide's own hostname, and `helpPath` at Docket's. */
type Asked = { host: string; prefix: '' | typeof helpPath; address: string; query: string }

const always: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

const ownAnswerHeaders: Readonly<Record<string, string>> = {
  ...always,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cache-Control': 'no-store',
  'Content-Type': 'text/plain; charset=utf-8',
}

/** Headers of the guide, which contacts no other host. At Docket's own address it runs in a sandbox with an opaque origin. */
const buildHeaders = (own: string, isSandbox: boolean): Record<string, string> => ({
  ...always,
  'Content-Security-Policy': [
    `default-src ${own} 'unsafe-inline' data:`,
    "object-src 'none'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...(isSandbox ? ['sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'] : []),
  ].join('; '),
  // A file of the next version may have the same name.
  'Cache-Control': 'public, no-cache',
  // An opaque origin may load its own modules and fonts only with CORS. Everybody may read the guide.
  ...(isSandbox
    ? { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' }
    : { 'Cross-Origin-Resource-Policy': 'same-origin', 'Origin-Agent-Cluster': '?1' }),
})

const sendRefusal = createRefusal(ownAnswerHeaders)

const sendRedirect = (response: ServerResponse, Location: string) => {
  response.writeHead(302, { ...ownAnswerHeaders, Location }).end()
}

/**
 * Answers requests for the user guide before Docket's app sees them: at the guide's own hostname if sites have hostnames, otherwise in a
 * sandbox below `/help/` at Docket's own address. It neither reads nor sets a cookie. Resolves with false for any other request, and never
 * rejects.
 */
export const serveHelp = (deps: {
  hosts: OwnHosts
  hostedHosts: Pick<HostedHosts, 'describe' | 'read'>
  guide: Guide
  log: Log
}) => {
  const { hosts, hostedHosts, guide, log } = deps
  const files = createHostedFiles(guide.open)

  const readAsked = ({ headers: { host = '' }, url = '/' }: IncomingMessage): Asked | null => {
    const isNamed = /^docket-help\./i.test(host)
    if (!isNamed && !url.startsWith(helpPath)) return null
    const [path = '/', query = ''] = url.split(/\?(.*)/s, 2)
    if (path === helpPath || path.startsWith(`${helpPath}/`))
      if (isOwnHost(host, hosts)) return { host, prefix: helpPath, address: path.slice(helpPath.length), query }
    if (!isNamed) return null
    const name = hostedHosts.read(host)
    return name !== null && 'label' in name ? { host, prefix: '', address: path, query } : null
  }

  const findOrigin = (host: string) => (host === hosts.publicUrl?.host ? hosts.publicUrl.origin : `http://${host}`)

  const sendFile = async (request: IncomingMessage, response: ServerResponse, asked: Asked, sha256: string) => {
    const { host, prefix } = asked
    const { located } = await files.find(sha256, asked)
    if (located.kind === 'not_found') {
      sendRefusal(response, located.status, 'The user guide has no page here.')
      return
    }
    const own = prefix === '' ? "'self'" : `${findOrigin(host.toLowerCase())}${prefix}/`
    const common = buildHeaders(own, prefix !== '')
    if (located.kind === 'redirect') {
      response.writeHead(located.status, { ...common, Location: prefix + located.to }).end()
      return
    }
    const { file, status } = located
    const answer = respondWithFile(file, request, status)
    // Read before the headers are sent, so that a failure can still become an error response.
    const body = answer.body === 'none' ? null : await files.read(sha256, file, answer.body)
    response.writeHead(answer.status, { ...common, ...answer.headers })
    await sendBody(response, body)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> => {
    const { method } = request
    const { host, prefix, address, query } = asked
    if (method !== 'GET' && method !== 'HEAD') {
      sendRefusal(response, 405, 'The user guide only shows files.', { Allow: 'GET, HEAD' })
      return
    }
    const sha256 = await guide.findSum()
    if (sha256 === null) {
      sendRefusal(response, 404, 'This Docket was built without its user guide. Run `pnpm build`, then open it again.')
      return
    }
    const elsewhere = prefix === '' ? null : hostedHosts.describe(host, channel).address
    const isBare = prefix !== '' && address === ''
    if (elsewhere === null && !isBare) return sendFile(request, response, asked, sha256)
    sendRedirect(response, addQuery(`${elsewhere ?? helpPath}${address === '' ? '/' : address}`, query))
  }

  return (request: IncomingMessage, response: ServerResponse): Promise<true> | false => {
    const asked = readAsked(request)
    if (asked === null) return false
    return answer(request, response, asked).then(
      () => true as const,
      (error: unknown) => {
        log.debug({ err: error }, 'the user guide was not answered')
        if (response.headersSent) response.destroy()
        else sendRefusal(response, 503, 'Docket could not read its user guide. Try again.', { 'Retry-After': '5' })
        return true as const
      },
    )
  }
}
