import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasHash } from '@docket/site-bundle/locator/hashed-names'
import type { SiteFile } from '@docket/site-bundle/open-site'
import { readOwnAddress } from '@docket/site-bundle/locator/addresses'
import { isPage } from '@docket/site-bundle/locator/page-address'
import { respondWithFile } from '@docket/site-bundle/serve/respond'
import { createRefusal, sendBody } from '#ground/http/server/send-file.ts'
import { readPort } from '#ground/http/access/own-hosts.ts'
import type { HostingCtx } from '#releases/releases-ctx.ts'
import { ownAnswerHeaders } from './channel-headers.ts'
import { toScope, toTag, type HostedChannel } from './hosted-channels.ts'
import type { FoundAddress } from './hosted-files.ts'
import type { HostedName } from './hosted-hosts.ts'
import { redeemTicket } from './hosted-sites.ts'

const ownFolder = '/.docket/'
/** The release of the page that the browser shows. The start of a bundle's sum, the same for every reader. */
const releaseCookie = '__Host-docket-release'
/** Set only at channels that require a sign-in, and for admins. */
const readerCookie = '__Host-docket-reader'
const cookieFlags = 'Path=/; Secure; HttpOnly; SameSite=Lax'

const createCookieReader = (name: string) => {
  const cookie = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{16,32})(?:;|$)`)
  return ({ headers }: IncomingMessage): string | null => cookie.exec(headers.cookie ?? '')?.[1] ?? null
}
const readRelease = createCookieReader(releaseCookie)
const readReader = createCookieReader(readerCookie)

type Asked = { host: string; name: HostedName; channel: HostedChannel; address: string; query: string }

const sendRefusal = createRefusal(ownAnswerHeaders)

/** True when a browser loads a resource of a page rather than a page. It then gets the release of that page. */
const isPartOfPage = ({ headers }: IncomingMessage): boolean | null => {
  const dest = headers['sec-fetch-dest']
  // Old browsers and programs don't send this header; then the kind of file decides.
  if (dest === undefined) return null
  if (headers['sec-purpose'] !== undefined) return true
  return dest === 'document' ? false : !/^i?frame$/.test(dest) || headers['sec-fetch-site'] === 'same-origin'
}

/** The ETag of a resumed or repeated request, without the suffix for gzip. */
const readIfRange = ({ headers }: IncomingMessage): string | null =>
  /^"([0-9a-f]{64})"$/.exec(String(headers['if-range'] ?? '').trim())?.[1] ?? null

/**
 * Answers every request to the hostname of a hosted channel before Docket's app sees it. It neither reads nor sets a cookie of Docket. A
 * page comes from the current release and names it in a cookie; the files that the page loads come from that release. Resolves with false
 * for a hostname that no channel has. Never rejects.
 */
export const serveHosted = (ctx: HostingCtx) => {
  const { docket, hosts, channels, files, findReader, log, now } = ctx
  // Any program could request a hosted page, and must not find out Docket's own hostname from it.
  const findDocket = (host: string) => docket.publicUrl?.origin ?? `http://localhost${readPort(host)}`

  const redeem = async ({ host, channel, query }: Asked, response: ServerResponse) => {
    const search = new URLSearchParams(query)
    const key = await redeemTicket(ctx, search.get('ticket') ?? '', host, channel)
    if (key === null) {
      sendRefusal(response, 403, 'This link works once, within a minute. Open the site again in Docket.')
      return
    }
    const Location = readOwnAddress(search.get('path') ?? '/') ?? '/'
    const cookie = `${readerCookie}=${key}; ${cookieFlags}`
    response.writeHead(303, { ...ownAnswerHeaders, Location, 'Set-Cookie': cookie }).end()
  }

  const describeRelease = ({ channel }: Asked, response: ServerResponse) => {
    const { site, name, releases } = channel
    const { number, at, by, note, sha256 } = releases[0]
    const lines = [
      `Site: ${site.name}`,
      `Channel: ${name}`,
      `Release: ${number}, since ${new Date(at).toISOString()}, by ${by}`,
      `SHA-256 of the bundle: ${sha256}`,
      ...(note === null ? [] : [`Note: ${note}`]),
    ]
    response.writeHead(200, { ...ownAnswerHeaders }).end(`${lines.join('\n')}\n`)
  }

  /** Chooses the release to serve, and finds the address in it. */
  const choose = async (request: IncomingMessage, asked: Asked) => {
    const { name } = asked
    const shown = readRelease(request)
    let { channel } = asked
    let served = channels.listServed(channel)
    const isShown = (sha256: string) => toTag(sha256) === shown
    if (shown !== null && !served.some(isShown)) {
      channel = await channels.findWith(name, shown, channel, (one) => channels.listServed(one).some(isShown))
      served = channels.listServed(channel)
    }
    /** Looks in every release that is served, and in newer ones that other replicas may know. */
    const search = async (what: string, fits: (file: SiteFile) => boolean) => {
      const look = (one: HostedChannel) => files.findFile(channels.listServed(one), asked, fits)
      const known = await look(channel)
      if (known !== null) return known
      channel = await channels.findWith(name, what, channel, async (one) => (await look(one)) !== null)
      served = channels.listServed(channel)
      return look(channel)
    }
    const [current = ''] = served
    const own = served.find(isShown) ?? current
    let isPart = isPartOfPage(request)
    let found: FoundAddress = await files.find(isPart === false ? current : own, asked)
    if (isPart === null) {
      isPart = found.located.kind !== 'file' || found.located.status !== 200 || !isPage(found.located.file)
      if (!isPart) found = await files.find(current, asked)
    }
    const { located } = found
    const isByRule = located.kind === 'redirect' ? located.path === null : 'isByRule' in located
    if (isPart && (located.status >= 400 || isByRule))
      found = (await search(asked.address, () => true)) ?? (isByRule ? found : await files.find(served[0] ?? '', asked))
    const resumed = readIfRange(request)
    if (resumed !== null) found = (await search(resumed, (file) => file.sha256 === resumed)) ?? found
    const isNewPage = !isPart && found.located.kind === 'file' && isPage(found.located.file) && !isShown(found.sha256)
    return { found, served, cookie: isNewPage ? toTag(found.sha256) : null }
  }

  const sendFile = async (request: IncomingMessage, response: ServerResponse, asked: Asked) => {
    const { channel } = asked
    const { found, served, cookie } = await choose(request, asked)
    const { located, sha256 } = found
    if (located.kind === 'not_found') {
      sendRefusal(response, located.status, 'This site has no page here.', { 'Cache-Control': 'no-cache' })
      return
    }
    if (located.kind === 'redirect') {
      response.writeHead(located.status, { ...channel.headers, Location: located.to }).end()
      return
    }
    const { file, status, isByRule = false } = located
    const answer = respondWithFile(file, request, status)
    const isImmutable = status === 200 && !isByRule && hasHash(file.path) && (await files.isSame(served, asked, file))
    // Read before the headers are sent, so that a failure can still become an error response.
    const body = answer.body === 'none' ? null : await files.read(sha256, file, answer.body)
    response.writeHead(answer.status, {
      ...located.headers,
      ...channel.headers,
      ...answer.headers,
      ...(isImmutable && { 'Cache-Control': `${toScope(channel)}, max-age=31536000, immutable` }),
      ...(cookie !== null && { 'Set-Cookie': `${releaseCookie}=${cookie}; ${cookieFlags}` }),
    })
    await sendBody(response, body)
  }

  const toSignIn = ({ host, address, query }: Asked, response: ServerResponse) => {
    const search = new URLSearchParams({ hostname: host, path: query === '' ? address : `${address}?${query}` })
    response.writeHead(302, { ...ownAnswerHeaders, Location: `${findDocket(host)}/hosted?${search.toString()}` }).end()
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> => {
    const { method, headers } = request
    const { channel, address, host } = asked
    if (method !== 'GET' && method !== 'HEAD') {
      sendRefusal(response, 405, 'Hosted sites only show files.', { Allow: 'GET, HEAD' })
      return
    }
    // A service worker would go on showing a release after the channel left it.
    if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker') {
      sendRefusal(response, 403, 'Hosted sites run no service workers.')
      return
    }
    if (address === `${ownFolder}open`) return redeem(asked, response)
    const key = readReader(request)
    const isRelease = address === `${ownFolder}release`
    const reader = isRelease || channel.access === 'signed_in' ? await findReader(key, host, channel) : null
    if (channel.access === 'signed_in' && reader === null) {
      if (isPartOfPage(request) !== true) toSignIn(asked, response)
      else sendRefusal(response, 401, 'Sign in to Docket to read this site.')
      return
    }
    if (!address.startsWith(ownFolder)) {
      await sendFile(request, response, asked)
      return
    }
    // Scripts of the site must not read it.
    const isLooking = headers['sec-fetch-dest'] === undefined || headers['sec-fetch-dest'] === 'document'
    if (isRelease && isLooking && reader?.role === 'admin') describeRelease(asked, response)
    else sendRefusal(response, 404, 'There is nothing here.')
  }

  const noteRequest = (request: IncomingMessage, response: ServerResponse, { channel, address }: Asked) => {
    const began = now()
    response.once('close', () => {
      log.info(
        {
          method: request.method,
          path: address.slice(0, 500),
          status: response.statusCode,
          bytes: response.writableFinished ? Number(response.getHeader('content-length') ?? 0) : 0,
          ms: now() - began,
          site: channel.site.label,
          channel: channel.name,
        },
        'hosted site answered',
      )
    })
  }

  /** While the database is unavailable, an unknown hostname may be Docket's, so that health checks keep working. */
  const find = async (name: HostedName): Promise<HostedChannel | null> => {
    try {
      return await channels.find(name)
    } catch (error) {
      if ('hostname' in name) return null
      throw error
    }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse, name: HostedName): Promise<boolean> => {
    try {
      const channel = await find(name)
      if (channel === null) {
        if ('hostname' in name) return false
        sendRefusal(response, 404, 'No site is hosted at this address.')
        return true
      }
      const [address = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s, 2)
      const asked = { host: request.headers.host!.toLowerCase(), name, channel, address, query }
      if (channel.accessLog) noteRequest(request, response, asked)
      await answer(request, response, asked)
    } catch (error) {
      log.debug({ err: error }, 'a hosted site was not answered')
      if (response.headersSent) response.destroy()
      else sendRefusal(response, 503, 'Docket could not read this site. Try again.', { 'Retry-After': '5' })
    }
    return true
  }

  return (request: IncomingMessage, response: ServerResponse): Promise<boolean> | false => {
    const name = hosts.read(request.headers.host)
    return name === null ? false : serve(request, response, name)
  }
}
