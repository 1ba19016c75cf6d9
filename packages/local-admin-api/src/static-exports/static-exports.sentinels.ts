export type ExportSentinel = {
  /** The start is refused with this sentence (403). */
  refusal?: string
  /** Pauses added over the whole export. Milliseconds. */
  pauseMs?: number
  failWith?: string
  /** The job is accepted and run, and the connection is closed without an answer. */
  losesStartAnswer?: true
  /** The first bundle link never works, or breaks off halfway through its first download. */
  firstLink?: 'dead' | 'dies'
  /** Status reads answer 404 from this age of the job on. Milliseconds. */
  vanishesAfterMs?: number
  /** Status reads answer 429 until this age of the job. Milliseconds. */
  limitedForMs?: number
  runningWord?: string
  shape?: (live: { progress: number; pageCount: number }) => object
}

const suffix = '.sentinel.test'
const watchableMs = 6_000

const sentinels: Readonly<Record<string, ExportSentinel>> = {
  'plan-refused': { refusal: 'Static export is not enabled for your organization. It requires an Enterprise plan.' },
  slow: { pauseMs: 20_000 },
  fails: { pauseMs: 2_000, failWith: 'The page "reference/limits" could not be rendered' },
  'lost-answer': { pauseMs: 2_000, losesStartAnswer: true },
  'early-link': { firstLink: 'dead' },
  'dying-link': { firstLink: 'dies' },
  vanishes: { pauseMs: 20_000, vanishesAfterMs: 10_000 },
  'rate-limited': { pauseMs: 2_000, limitedForMs: 8_000 },
  silent: { pauseMs: watchableMs, shape: () => ({}) },
  'unknown-status': { pauseMs: watchableMs, runningWord: 'assembling' },
  fractions: {
    pauseMs: watchableMs,
    shape: ({ progress, pageCount }) => ({ progress: progress / 100, pageCount }),
  },
  'progress-object': {
    pauseMs: watchableMs,
    shape: ({ progress, pageCount }) => ({ progress: { done: Math.round(progress), total: 100 }, pageCount }),
  },
  'progress-text': {
    pauseMs: watchableMs,
    shape: ({ progress, pageCount }) => ({ progress: String(progress), pageCount: String(pageCount) }),
  },
}

/** `slow-<seconds>` is reserved as well. */
export const sentinelDomains: readonly string[] = Object.keys(sentinels).map((name) => name + suffix)

export const exportSentinel = (domain: string): ExportSentinel | null => {
  if (!domain.endsWith(suffix)) return null
  const name = domain.slice(0, -suffix.length)
  const seconds = /^slow-(\d{1,3})$/.exec(name)?.[1]
  if (seconds !== undefined) return { pauseMs: Number(seconds) * 1000 }
  return Object.hasOwn(sentinels, name) ? sentinels[name]! : null
}
