import type { IncomingMessage, ServerResponse } from 'node:http'
import { createOpenedSites } from '@docket/site-bundle/serve/opened-sites'
import { readBody, respondWithFile } from '@docket/site-bundle/serve/respond'
import { createRefusal, sendBody } from '#ground/http/server/send-file.ts'
import type { PreviewsCtx } from '#releases/releases-ctx.ts'
import { type PreviewHosts, sandboxFolder } from './preview-hosts.ts'
import { findOpenPreview, type PreviewRow, recordPage, recordViolation, redeemPreview } from './previews.ts'
import { limitReports, maxReportBytes, readReport } from './violations.ts'

/** What the headers of a preview depend on. `own` is the source in its content security policy for its own files. */
type PreviewFrame = {
  isolation: 'own_host' | 'sandbox'
  /** `'self'`, or the address of the sandbox with a slash at its end. */
  own: string
  framedBy: string
  /** Address that takes reports of violations. */
  reports: string
}

/** Every feature that a policy may name and that a page could use against its reader. */
const features =
  'accelerometer autoplay browsing-topics camera clipboard-read clipboard-write compute-pressure display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection keyboard-map local-fonts local-network-access magnetometer microphone midi otp-credentials payment picture-in-picture publickey-credentials-create publickey-credentials-get screen-wake-lock serial speaker-selection storage-access unload usb window-management xr-spatial-tracking'

/** Headers of everything at an address of a preview, errors included. */
const always: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': features
    .split(' ')
    .map((name) => `${name}=()`)
    .join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'X-DNS-Prefetch-Control': 'off',
  'X-Robots-Tag': 'noindex',
  // Chromium then also blocks what no content security policy names: WebRTC and connections opened ahead of need.
  'Connection-Allowlist': '(response-origin)',
}

const buildPolicy = ({ isolation, own, framedBy, reports }: PreviewFrame): string =>
  [
    `default-src ${own} 'unsafe-inline' 'unsafe-eval' data: blob:`,
    "object-src 'none'",
    `base-uri ${own}`,
    `form-action ${own}`,
    `frame-ancestors ${isolation === 'own_host' ? "'self' " : ''}${framedBy}`,
    `sandbox allow-scripts allow-forms${isolation === 'own_host' ? ' allow-same-origin' : ''}`,
    `report-uri ${reports}`,
  ].join('; ')

/** Headers of a file of a preview; those of the bundle would weaken them. An opaque origin loads its own fonts and modules only with permission. */
const buildPreviewHeaders = (frame: PreviewFrame): Record<string, string> => ({
  ...always,
  'Content-Security-Policy': buildPolicy(frame),
  'Cache-Control': 'private, no-cache',
  ...(frame.isolation === 'own_host'
    ? { 'Cross-Origin-Resource-Policy': 'same-origin' }
    : { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' }),
})

/** Headers of a refusal, which contains nothing of the bundle. */
const refusalHeaders: Readonly<Record<string, string>> = {
  ...always,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'Content-Type': 'text/plain; charset=utf-8',
}

/** The cookie of a preview at a hostname of its own. */
const cookieName = '__Host-docket-preview'
/** Docket's own addresses within a preview. */
const ownFolder = '/.docket/'
/** Sites with an open directory. */
const maxSites = 8

/** The preview and the address in it that a request is for. `prefix` is the path of the sandbox, or empty. */
type Asked = { label: string | null; key: string | null; prefix: string; address: string; query: string }

const readCookie = (header = ''): string | null =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{32})(?:;|$)`).exec(header)?.[1] ?? null

/** Splits the address of a request to a preview. Null for a request to Docket. */
const readAsked = ({ headers, url = '/' }: IncomingMessage, hosts: PreviewHosts): Asked | null => {
  const label = hosts.readLabel(headers.host)
  if (label === null && !url.startsWith(sandboxFolder)) return null
  const [path = '/', query = ''] = url.split(/\?(.*)/s, 2)
  if (label !== null) return { label, key: readCookie(headers.cookie), prefix: '', address: path, query }
  if (!hosts.isDocket(headers.host)) return null
  const [, key = '', address = '/'] = /^([\w-]*)(\/.*)?$/s.exec(path.slice(sandboxFolder.length)) ?? []
  return { label, key, prefix: `${sandboxFolder}${key}`, address, query }
}

const sendRefusal = createRefusal(refusalHeaders)

const sendPreviewEnded = (response: ServerResponse) =>
  sendRefusal(response, 403, 'This preview has ended, or your browser blocks its cookie. Open it again in Docket.')

const readReportBody = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxReportBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Answers every request to a preview hostname, or below the sandbox folder at Docket's own hosts, before Docket's app sees it. It neither
 * reads nor sets a cookie of Docket. Resolves with false for any other request, and never rejects.
 */
export const servePreviews = (ctx: PreviewsCtx) => {
  const { hosts, log, now } = ctx
  const counts = limitReports(now)
  const openSite = createOpenedSites(ctx.artifacts.open, maxSites)

  const redeem = async ({ label, key, prefix, query }: Asked, response: ServerResponse) => {
    const ticket = new URLSearchParams(query).get('ticket') ?? ''
    const opened = await redeemPreview(ctx, ticket, { label, key: label === null ? key : null })
    if (opened === null) {
      sendRefusal(
        response,
        403,
        'This link to a preview works once, within a minute. Open the preview again in Docket.',
      )
      return
    }
    // In Docket's frame, the preview is a third-party site, so its cookie is partitioned and no other site can use it.
    const cookie = `${cookieName}=${opened.key}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned`
    const headers = { ...refusalHeaders, Location: prefix + opened.row.page }
    response.writeHead(303, label === null ? headers : { ...headers, 'Set-Cookie': cookie }).end()
  }

  const takeReport = async (request: IncomingMessage, response: ServerResponse, asked: Asked, row: PreviewRow) => {
    const body = await readReportBody(request)
    const { resolve, findAddress } = await openSite(row.sha256)
    const toPage = (address: string) => {
      const located = resolve(address)
      return located.kind === 'file' && located.status === 200 ? findAddress(located.path) : address
    }
    const place = { host: request.headers.host ?? '', prefix: asked.prefix, toPage }
    const violation = body === null ? null : readReport(body, place)
    if (violation !== null && counts(row.previewId)) await recordViolation(ctx, row, violation)
    response.writeHead(204, { ...refusalHeaders }).end()
  }

  const sendFile = async (request: IncomingMessage, response: ServerResponse, asked: Asked, row: PreviewRow) => {
    const { prefix, address, query } = asked
    const { site, locate, findAddress } = await openSite(row.sha256)
    const own = row.isolation === 'sandbox' ? `${row.framedBy}${prefix}/` : "'self'"
    const { framedBy, isolation } = row
    const common = buildPreviewHeaders({ isolation, own, framedBy, reports: `${prefix}${ownFolder}reports` })
    const located = await locate(address, query)
    const isPage = request.headers['sec-fetch-dest'] === 'iframe'
    if (located.kind === 'not_found') {
      response
        .writeHead(located.status, { ...common, 'Content-Type': 'text/plain; charset=utf-8' })
        .end('The bundle has no page here.\n')
      return
    }
    if (located.kind === 'redirect') {
      const { to } = located
      if (!to.startsWith('/'))
        response
          .writeHead(404, { ...common, 'Content-Type': 'text/plain; charset=utf-8' })
          .end(`The bundle redirects from here to ${to}. Previews open no other site.\n`)
      else response.writeHead(located.status, { ...common, Location: prefix + to }).end()
      return
    }
    const { file, status } = located
    const answer = respondWithFile(file, request, status)
    if (isPage) await recordPage(ctx, row, findAddress(file.path))
    const body = await readBody(site, file.path, answer.body)
    response.writeHead(answer.status, { ...common, ...answer.headers })
    await sendBody(response, body)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> => {
    const { method, headers } = request
    const { address, label, key } = asked
    const isRead = method === 'GET' || method === 'HEAD'
    // In a top-level page, no policy of Docket would prevent a preview from opening other sites.
    if (headers['sec-fetch-dest'] === 'document') {
      sendRefusal(response, 403, 'Previews open inside Docket only.')
      return
    }
    if (isRead && address === `${ownFolder}open`) return redeem(asked, response)
    const row = key === null ? null : await findOpenPreview(ctx, key, label)
    if (row === null) {
      sendPreviewEnded(response)
      return
    }
    if (method === 'POST' && address === `${ownFolder}reports`) return takeReport(request, response, asked, row)
    if (!isRead) {
      sendRefusal(response, 405, 'Previews only show files.', { Allow: 'GET, HEAD' })
      return
    }
    // A service worker would outlive the preview.
    if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker') {
      if (counts(row.previewId))
        await recordViolation(ctx, row, { page: '/', directive: 'service-worker', target: address.slice(0, 500) })
      sendRefusal(response, 403, 'Previews run no service workers.')
      return
    }
    return sendFile(request, response, asked, row)
  }

  return (request: IncomingMessage, response: ServerResponse): Promise<true> | false => {
    const asked = readAsked(request, hosts)
    if (asked === null) return false
    return answer(request, response, asked).then(
      () => true as const,
      (error: unknown) => {
        log.debug({ err: error }, 'a preview was not answered')
        if (response.headersSent) response.destroy()
        else sendRefusal(response, 503, 'Docket could not read this file. Reload the preview.')
        return true as const
      },
    )
  }
}
