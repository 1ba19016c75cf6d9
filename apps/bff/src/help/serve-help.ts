import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { locateAddress } from '@docket/site-bundle/serve/locate'
import { addQuery } from '@docket/site-bundle/serve/redirect-target'
import { respondWithFile } from '@docket/site-bundle/serve/respond'
import { isOwnHost, type OwnHosts } from '#http/access/own-hosts.ts'
import type { Log } from '#log/log.ts'

/** Where the pages of Docket link to the guide, such as `/help/exports/start`. */
const helpPath = '/help'
/** The guide is hosted as the main channel of a site with this label, which no site may have. */
const channel = { label: 'docket-help', name: 'production', hostname: null, access: 'public' } as const

/** Decides at which hostnames channels are hosted. */
type HostedNames = {
  describe: (host: string, of: typeof channel) => { address: string | null }
  read: (host: string | undefined) => { label: string; channel: string } | { hostname: string } | null
}

/** A request for the guide. `prefix` is empty at a hostname of its own, and `helpPath` at Docket's. */
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

/** Headers of the guide, which asks no other host. At Docket's own address it runs in a sandbox with an opaque origin. */
const buildHeaders = (own: string, isSandbox: boolean): Record<string, string> => ({
  ...always,
  'Content-Security-Policy': [
    `default-src ${own} 'unsafe-inline' data:`,
    "object-src 'none'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...(isSandbox ? ['sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'] : []),
  ].join('; '),
  // A file of the next version has the same name.
  'Cache-Control': 'public, no-cache',
  // An opaque origin loads its own modules and fonts only with permission. Everybody may read the guide.
  ...(isSandbox
    ? { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' }
    : { 'Cross-Origin-Resource-Policy': 'same-origin', 'Origin-Agent-Cluster': '?1' }),
})

const refuse = (response: ServerResponse, status: number, sentence: string, headers: Record<string, string> = {}) => {
  response.writeHead(status, { ...ownAnswerHeaders, ...headers }).end(`${sentence}\n`)
}

const redirect = (response: ServerResponse, Location: string) => {
  response.writeHead(302, { ...ownAnswerHeaders, Location }).end()
}

/**
 * Answers requests for the user guide before Docket's app sees them: at its own hostname where sites have hostnames, otherwise in a sandbox
 * below `/help/` of Docket's own. It neither reads nor sets a cookie. Returns false for any other request, and never rejects.
 */
export const serveHelp = (deps: {
  hosts: OwnHosts
  hostedHosts: HostedNames
  open: () => Promise<StoredSite | null>
  log: Log
}) => {
  const { hosts, hostedHosts, open, log } = deps

  const readAsked = ({ headers: { host = '' }, url = '/' }: IncomingMessage): Asked | null => {
    const [path = '/', query = ''] = url.split(/\?(.*)/s, 2)
    if (path === helpPath || path.startsWith(`${helpPath}/`))
      if (isOwnHost(host, hosts)) return { host, prefix: helpPath, address: path.slice(helpPath.length), query }
    if (!/^docket-help\./i.test(host)) return null
    const name = hostedHosts.read(host)
    const isGuide = name !== null && 'label' in name && name.label === channel.label && name.channel === channel.name
    return isGuide ? { host, prefix: '', address: path, query } : null
  }

  const findOrigin = (host: string) => (host === hosts.publicUrl?.host ? hosts.publicUrl.origin : `http://${host}`)

  const sendFile = async (request: IncomingMessage, response: ServerResponse, asked: Asked, site: StoredSite) => {
    const { host, prefix, address, query } = asked
    const located = await locateAddress(site, await site.manifest(), address)
    if (located.kind === 'nothing') {
      refuse(response, 404, 'The user guide has no page here.')
      return
    }
    const own = prefix === '' ? "'self'" : `${findOrigin(host.toLowerCase())}${prefix}/`
    const common = buildHeaders(own, prefix !== '')
    if (located.kind === 'redirect') {
      response.writeHead(located.status, { ...common, Location: prefix + addQuery(located.to, query) }).end()
      return
    }
    const { file, status } = located
    const answer = respondWithFile(file, request, status)
    const { body } = answer
    // Opened before the headers leave, so that a failure is still an answer.
    const bytes =
      body === 'none' ? null : body === 'encoded' ? await site.readEncoded(file.path) : await site.read(file.path, body)
    response.writeHead(answer.status, { ...common, ...answer.headers })
    if (bytes === null) response.end()
    else await pipeline(bytes, response)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> => {
    const { method } = request
    const { host, prefix, address, query } = asked
    if (method !== 'GET' && method !== 'HEAD') {
      refuse(response, 405, 'The user guide only shows files.', { Allow: 'GET, HEAD' })
      return
    }
    const site = await open()
    if (site === null) {
      refuse(response, 404, 'This Docket was built without its user guide. Run `pnpm build`, then open it again.')
      return
    }
    const elsewhere = prefix === '' ? null : hostedHosts.describe(host, channel).address
    const isBare = prefix !== '' && address === ''
    if (elsewhere === null && !isBare) return sendFile(request, response, asked, site)
    redirect(response, addQuery(`${elsewhere ?? helpPath}${address === '' ? '/' : address}`, query))
  }

  return (request: IncomingMessage, response: ServerResponse): Promise<true> | false => {
    const asked = readAsked(request)
    if (asked === null) return false
    return answer(request, response, asked).then(
      () => true as const,
      (error: unknown) => {
        log.debug({ err: error }, 'the user guide was not answered')
        if (response.headersSent) response.destroy()
        else refuse(response, 503, 'Docket could not read its user guide. Try again.', { 'Retry-After': '5' })
        return true as const
      },
    )
  }
}
