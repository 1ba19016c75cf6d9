import { createMiddleware } from 'hono/factory'
import { isOwnHost, findConnectableOrigins, type OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

/** Allows only Docket's own scripts, styles and images, forbids framing, and prevents scripts from inserting markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Headers of every response. A response may set its own `Cache-Control` instead. */
export const securityHeaderValues: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()',
}

/** For a year, browsers use only https for this name and all names below it. They ignore the header on plain http. */
const onlyEncrypted = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

export const buildSecurityHeaders = (publicUrl: URL | null): Readonly<Record<string, string>> =>
  publicUrl?.protocol === 'https:' ? { ...securityHeaderValues, ...onlyEncrypted } : securityHeaderValues

/**
 * Sets the security headers on every response, and `no-store` unless the response has its own `Cache-Control`. Pages may frame
 * `frameSources` of their host; the API has no pages.
 */
export const setSecurityHeaders = (hosts: OwnHosts, frameSources?: (host: string) => string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(securityHeaderValues)) c.header(name, value)
    const host = c.req.header('host') ?? ''
    const others = findConnectableOrigins(host, hosts)
    const policy =
      others === null ? contentSecurityPolicy : contentSecurityPolicy.replace("connect-src 'self'", `$& ${others}`)
    const mayFrame = frameSources !== undefined && isOwnHost(host, hosts) && !c.req.path.startsWith('/api/')
    c.header('Content-Security-Policy', mayFrame ? `${policy}; frame-src ${frameSources(host)}` : policy)
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  })
