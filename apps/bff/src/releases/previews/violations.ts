import { LRUCache } from 'lru-cache'
import { z } from 'zod'

/** A request that a preview's page made and that the browser or Docket refused. */
export type Violation = {
  /** Address of the page within the site. */
  page: string
  /** Kind of request, such as `img-src`. */
  directive: string
  /** Requested address, without user and password. */
  target: string
}

export const maxReportBytes = 16_384
/** Limits for the reports of one preview: the initial burst, and then per second. */
const burst = { size: 200, perSecond: 5 }
/** Maximum size of an address, so that three fit into an index entry of PostgreSQL. Bytes. */
const maxBytes = 800

const Report = z.object({
  'csp-report': z.object({
    'document-uri': z.string().max(8_000),
    'effective-directive': z.string().max(100).optional(),
    'violated-directive': z.string().max(2_000).optional(),
    'blocked-uri': z.string().max(8_000),
  }),
})

const cutToMaxBytes = (text: string): string => {
  const clean = text.toWellFormed().replaceAll('\0', '')
  return Buffer.byteLength(clean) <= maxBytes
    ? clean
    : new TextDecoder().decode(Buffer.from(clean).subarray(0, maxBytes - 3)).replace(/\uFFFD+$/, '')
}

/** Truncates a violation to what the database accepts. */
export const cutViolation = ({ page, directive, target }: Violation): Violation => ({
  page: cutToMaxBytes(page),
  directive: cutToMaxBytes(directive).slice(0, 60),
  target: cutToMaxBytes(target),
})

/**
 * Reads a browser's report. Pages of the preview are at `host` below `prefix`, and `toPage` finds their address in the manifest. Null for reports that name no request to another address,
 * such as inline styles, browser extensions and anything malformed.
 */
export const readReport = (
  body: string,
  { host, prefix, toPage }: { host: string; prefix: string; toPage: (address: string) => string },
): Violation | null => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
  const { data } = Report.safeParse(json)
  if (data === undefined) return null
  const report = data['csp-report']
  const target = URL.parse(report['blocked-uri'])
  const document = URL.parse(report['document-uri'])
  if (target === null || !/^(https?|wss?):$/.test(target.protocol)) return null
  target.username = ''
  target.password = ''
  const directive = report['effective-directive'] ?? report['violated-directive']?.split(' ', 1)[0] ?? ''
  if (!/^[a-z-]{1,60}$/.test(directive) || directive === 'frame-ancestors') return null
  const isPage = document?.host === host && document.pathname.startsWith(`${prefix}/`)
  const page = isPage ? toPage(document.pathname.slice(prefix.length)) : '/'
  return cutViolation({ page, directive, target: target.href })
}

/** Limits how many reports of one preview count. Returns true for one that does. `now` in milliseconds. */
export const limitReports = (now: () => number) => {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: 1_000 })
  return (previewId: string): boolean => {
    const at = now()
    const known = buckets.get(previewId) ?? { left: burst.size, at }
    const left = Math.min(burst.size, known.left + ((at - known.at) / 1_000) * burst.perSecond)
    buckets.set(previewId, { left: Math.max(0, left - 1), at })
    return left >= 1
  }
}
