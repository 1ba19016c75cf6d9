import { readTheirNow } from '@docket/outbound/clock'
import { cut } from '@docket/sources/text'
import { z } from 'zod'
import { CodeHostError, refused } from '#code-host-error.ts'

export type ServiceLabels = {
  service: 'GitHub' | 'GitLab' | 'Gitea'
  repository: string
  /** Permissions of a token, completing the sentence “The token needs …”. */
  needs: string
  settings: { token: string; url: string }
  /** Sentence that says how to fix a refused token. Default: replace it. */
  remedy?: string
  hide: (text: string) => string
}

/** Response of a service. `json` is undefined when the body is not JSON. */
export type Answer = { status: number; headers: Pick<Headers, 'get' | 'has'>; json: unknown }

/** Null for a success. */
export const toCodeHostError = (labels: ServiceLabels, host: string, answer: Answer): CodeHostError | null => {
  const { service, repository, needs, settings } = labels
  const remedy = labels.remedy ?? `It may have expired: put a valid one in ${settings.token}.`
  const { status, headers, json } = answer
  const at = `${service} at ${host}`
  const detail = readMessage(json, labels.hide)
  if (status >= 300 && status < 400)
    return refused(
      `${at} says that ${repository} is at another address now. Use the new one; a token is not sent along a redirect.`,
    )
  if (status >= 500)
    return new CodeHostError(
      'unreachable',
      `${at} cannot do it at the moment: it answered ${status}${quoteDetail(detail)}.`,
    )
  const waitMs = findRateLimitWait(answer, detail)
  if (waitMs !== false) return createLimitError(at, waitMs)
  if (status < 200 || status >= 300) {
    if (status === 401)
      return new CodeHostError('rejected', `${at} does not accept the token${quoteDetail(detail)}. ${remedy}`)
    if (status === 403)
      return new CodeHostError(
        'forbidden',
        `${at} does not let the token do that in ${repository}${quoteDetail(detail)}. The token needs ${needs}.`,
      )
    if (status === 404)
      return new CodeHostError(
        'missing',
        `${at} has no repository ${repository}, or the token may not see it. The token needs ${needs}.`,
      )
    if ((status === 409 || status === 422) && /already exist/i.test(detail))
      return new CodeHostError('exists', `${at} says that there is a pull request already, and does not name it.`)
    return refused(`${at} refused the request: it answered ${status}${quoteDetail(detail)}.`)
  }
  if (json === undefined)
    return refused(
      `${at} answered with a page instead of data. ${settings.url} seems to lead to something else than ${service}${/html/.test(headers.get('content-type') ?? '') ? ', such as a sign-in page' : ''}.`,
    )
  return null
}

const createLimitError = (at: string, waitMs: number | null) =>
  new CodeHostError(
    'limited',
    `${at} was asked too often and wants to be left alone${waitMs === null ? ' for a while' : ` for ${formatWait(waitMs)}`}. Try again then.`,
    waitMs,
  )

const formatWait = (ms: number) => (ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} minutes`)

/** GitHub and GitLab name the same headers differently; Gitea sends none. */
const readLimitHeader = ({ headers }: Answer, name: 'remaining' | 'reset') =>
  headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`)

/** Milliseconds until the rate limit resets; null when the limit is not used up. */
export const findSpentLimit = (answer: Answer): number | null => {
  const reset = Number(readLimitHeader(answer, 'reset') ?? Number.NaN)
  const spent = readLimitHeader(answer, 'remaining') === '0' && Number.isFinite(reset) && reset > 0
  return spent ? Math.max(0, reset * 1000 - readServiceClock(answer)) : null
}

const readServiceClock = ({ headers }: Answer): number => readTheirNow((name) => headers.get(name)) ?? Date.now()

/** Wait in milliseconds; null when unknown, false when the response is not about a rate limit. */
const findRateLimitWait = (answer: Answer, detail: string): number | null | false => {
  const { status, headers } = answer
  const usedUp = headers.get('x-ratelimit-remaining') === '0'
  const isLimit =
    status === 429 || (status === 403 && (usedUp || headers.has('retry-after') || /rate limit/i.test(detail)))
  if (!isLimit) return false
  const retryAfter = headers.get('retry-after')
  if (retryAfter !== null && /^\d{1,6}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const date = retryAfter === null ? Number.NaN : Date.parse(retryAfter)
  return Number.isNaN(date) ? findSpentLimit(answer) : Math.max(0, date - readServiceClock(answer))
}

const ErrorBody = z.object({
  message: z.unknown().optional(),
  error: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  errors: z.array(z.unknown()).optional().catch(undefined),
})

const Detail = z.union([
  z.string(),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ field: z.string(), code: z.string() }).transform(({ field, code }) => `${field}: ${code}`),
])

/** Reads an error's message: GitHub sends a message with details, GitLab texts, lists or fields, and Gitea a message. */
const readMessage = (json: unknown, hide: (text: string) => string): string => {
  const read = ErrorBody.safeParse(json)
  if (!read.success) return ''
  const { message, error, error_description: described, errors = [] } = read.data
  const details = errors.flatMap((detail) => Detail.safeParse(detail).data ?? [])
  const parts = [...listTexts(message), described ?? error ?? '', ...details]
  const text = [...new Set(parts.filter((part) => part !== ''))].join('; ')
  // Hidden before it is cut: half of a token would not be found.
  return cut(hide(text).replaceAll(/\s+/g, ' '), 300)
}

const listTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

const quoteDetail = (detail: string) => (detail === '' ? '' : ` (“${detail}”)`)
