import type { ChannelHeader } from '@docket/api-types/sites'
import { formatHeaderName } from '@docket/site-bundle/locator/bundle-rules'
import { refusedFieldError } from '#ground/errors/app-error.ts'

/** Headers that a channel may set: what browsers and search engines may do with its pages. */
const accepted = new RegExp(
  `^(?:${[
    'content-security-policy(?:-report-only)?|permissions-policy(?:-report-only)?|reporting-endpoints',
    'cross-origin-(?:embedder|opener)-policy(?:-report-only)?|cross-origin-resource-policy|origin-agent-cluster',
    'access-control-(?:allow-(?:origin|methods|headers)|expose-headers|max-age)|timing-allow-origin',
    'x-content-type-options|x-frame-options|x-permitted-cross-domain-policies|x-xss-protection|x-dns-prefetch-control',
    'referrer-policy|x-robots-tag|content-language|link',
  ].join('|')})$`,
  'i',
)

/**
 * Headers that are never sent, even if an earlier version saved them: those of the connection and of the file, which Docket computes; those
 * for cookies and storage, which outlive the release; a wider scope for service workers; and those that make a reverse proxy send other
 * files.
 */
const neverSent = new RegExp(
  `^(?:${[
    'set-cookie2?|clear-site-data|service-worker-allowed|access-control-allow-credentials',
    'connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|via|alt-svc|http2-settings|sec-.*|status',
    'content-(?:length|encoding|type|range)|accept-ranges|etag|vary|date|age|location|cache-control|expires|last-modified',
    'x-accel-.*|x-sendfile|x-lighttpd-.*|x-litespeed-.*|x-reproxy-.*',
  ].join('|')})$`,
  'i',
)

/** Without `includeSubDomains`, so that the policy affects this hostname only. */
const hsts = /^strict-transport-security: max-age=\d{1,10}$/i

/** True for a header that a channel may set. An earlier version saved others. */
export const isAccepted = ({ name, value }: ChannelHeader): boolean =>
  accepted.test(name) || hsts.test(`${name}: ${value}`)

/** Checks the headers that a person sets for a channel. Throws `invalid_request` for a header that it can't set, or that occurs twice. */
export const checkHeaders = (headers: readonly ChannelHeader[]): void => {
  const seen = new Set<string>()
  for (const [index, header] of headers.entries()) {
    const { name } = header
    const refuse = (sentence: string) => refusedFieldError(`headers.${index}.name`, sentence)
    if (!isAccepted(header))
      throw refuse(
        /^strict-transport-security$/i.test(name)
          ? `${name} takes only max-age=<seconds> here. Set the rest in the proxy.`
          : `A channel can’t set ${name}. Remove this header. The guide lists those that it can set, under “Host a site”.`,
      )
    const key = name.toLowerCase()
    if (seen.has(key)) throw refuse(`${name} is there twice. Write its values into one header.`)
    seen.add(key)
  }
}

const always: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Origin-Agent-Cluster': '?1',
}

type HostedHeaders = { name: string; access: 'signed_in' | 'public'; headers: readonly ChannelHeader[] }

/** Headers of everything in a channel: Docket's, then the channel's own, which replace them. */
export const buildHostedHeaders = ({ name, access, headers }: HostedHeaders): Record<string, string> => {
  const all: Record<string, string> = {
    ...always,
    // Does not restrict what the site itself does.
    'Content-Security-Policy': "frame-ancestors 'self'",
    ...((name !== 'production' || access !== 'public') && { 'X-Robots-Tag': 'noindex' }),
    // To a browser, hostnames below one parent are one site, so it sends the reader's cookie with requests from pages of other channels
    // too.
    ...(access === 'signed_in' && { 'Cross-Origin-Resource-Policy': 'same-origin' }),
  }
  for (const header of headers) {
    if (!neverSent.test(header.name)) all[formatHeaderName(header.name)] = header.value
  }
  return all
}

/** Headers of Docket's own answers at a hosted hostname, which contain nothing of the site. */
export const ownAnswerHeaders: Readonly<Record<string, string>> = {
  ...always,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
  'Content-Type': 'text/plain; charset=utf-8',
}
