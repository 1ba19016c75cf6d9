import { createZonedFormat, toDay } from '#lib/time/zone.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const joinTwoUnits = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small > 0 ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`

/** A length of time in at most two units: `4 s`, `1 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / second))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return joinTwoUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.floor(seconds / 60)
  if (ms < day) return joinTwoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.floor(minutes / 60)
  return joinTwoUnits(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

/** A length of time in one unit, for ages and estimates: `4 s`, `12 min`, `3 h`, `2 d`. */
export const formatRough = (ms: number): string => {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) return `${Math.floor(ms / hour)} h`
  return `${Math.floor(ms / day)} d`
}

/** How long ago `at` was, in one unit; `just now` below a second and for clocks that are ahead. */
export const formatAgo = (at: string, nowMs: number): string => {
  const ageMs = nowMs - Date.parse(at)
  return ageMs < second ? 'just now' : `${formatRough(ageMs)} ago`
}

/** How long until `at`, in one unit: `in 5 s`, or `now`. */
export const formatUntil = (at: string, nowMs: number): string => {
  const leftMs = Date.parse(at) - nowMs
  return leftMs <= 0 ? 'now' : `in ${formatRough(leftMs + 999)}`
}

/** An estimate: `about 2 min left`, `about 10 s left`, `longer than expected`. */
export const formatLeft = (expectedAt: string, nowMs: number): string => {
  const leftMs = Date.parse(expectedAt) - nowMs
  if (leftMs <= 0) return 'longer than expected'
  if (leftMs < 8 * second) return 'a few seconds left'
  // Exact seconds would overstate the precision of an estimate.
  if (leftMs <= 50 * second) return `about ${Math.ceil(leftMs / (10 * second)) * 10} s left`
  if (leftMs < 90 * minute) return `about ${Math.max(1, Math.round(leftMs / minute))} min left`
  return `about ${Math.round(leftMs / hour)} h left`
}

/** Creates a value on first use, because the browser's formatters take milliseconds to create. */
const createOnce = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

const wholeNumberFormat = createOnce(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 }))
const oneDecimalFormat = createOnce(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }))

export const formatCount = (count: number): string => wholeNumberFormat().format(count)

const dollarFormat = createOnce(() => new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' }))

/** A cost in US dollars: `$0.42`; `< $0.01` for less than a cent. */
export const formatCost = (costUsd: number): string =>
  costUsd > 0 && costUsd < 0.01 ? `< ${dollarFormat().format(0.01)}` : dollarFormat().format(costUsd)

/** A number of matches; `1,000+` when there are more. */
export const formatMatches = ({ count, more }: { count: number; more: boolean }): string =>
  `${formatCount(count)}${more ? '+' : ''}`

/** A number with its noun: `1 page`, `1,204 pages`. */
export const formatPlural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** A speed per second: one decimal below ten. */
export const formatRate = (perSecond: number): string =>
  perSecond < 10 ? oneDecimalFormat().format(perSecond) : wholeNumberFormat().format(perSecond)

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Bytes in decimal units: `640 B`, `12.3 MB`. */
export const formatBytes = (sizeBytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  let value = sizeBytes
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? wholeNumberFormat().format(value) : oneDecimalFormat().format(value)} ${units[unit]}`
}

const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
const date = { day: 'numeric', month: 'short', year: 'numeric' } as const
const instantFormat = createZonedFormat({ ...date, ...time })

/** Date, time and zone, in the zone that the reader chose and their own manner: `21 Nov 2026, 03:52 CET`. */
export const formatInstant = (at: string): string => instantFormat().format(new Date(at))

/** The same instant in UTC, for people who compare it with a log: `2026-11-21 02:52:57 UTC`. */
export const formatUtc = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const clockFormat = createZonedFormat({ second: '2-digit', ...time })
const shortClockFormat = createZonedFormat(time)
const dayFormat = createZonedFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })

/** Time of day with seconds and zone, in the same zone and manner: `03:52:57 CET`. */
export const formatClock = (at: string): string => clockFormat().format(new Date(at))

/** Time of day with its zone, in the same zone and manner: `03:52 CET`. */
export const formatShortClock = (at: string): string => shortClockFormat().format(new Date(at))

/** The day of `at` in the reader's zone: `Today`, `Yesterday`, or its date. */
export const formatDay = (at: string, nowMs: number): string => {
  const atDay = toDay(Date.parse(at))
  if (atDay === toDay(nowMs)) return 'Today'
  return atDay === toDay(nowMs, -1) ? 'Yesterday' : dayFormat().format(new Date(at))
}

/** An end time: `14:05 CET` if it is today, else with the day. */
export const formatDeadline = (at: string, nowMs: number): string =>
  formatDay(at, nowMs) === 'Today' ? formatShortClock(at) : formatInstant(at)

/** Invisible or misleading characters: controls, direction marks, spaces without a width. Joiners stay: scripts and emoji need them. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Makes hidden characters of untrusted text visible, as a sign or by their number. */
export const revealHiddenCharacters = (text: string): string =>
  text.replaceAll(hidden, (sign) => {
    const code = sign.codePointAt(0)!
    if (code === 0x7f) return '␡'
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })

/** Right-to-left letters, and characters that reorder text. */
const reordering =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Isolates a person's text within a plain string, such as a message or the title of a tab; markup uses `bdi` instead. Text that runs
 * from left to right stays as it is.
 */
export const isolateText = (text: string): string => (reordering.test(text) ? `\u2068${text}\u2069` : text)

/** Isolates a domain. Its labels keep their order, as in the address bar. */
export const isolateDomain = (domain: string): string => (reordering.test(domain) ? `\u2066${domain}\u2069` : domain)
