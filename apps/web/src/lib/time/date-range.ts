import { fromWallMs, toDay } from './zone.ts'

/** Ranges up to now, each with its label and the number of days before today that it begins. */
export const recentRanges = {
  today: { label: 'Today', days: 0 },
  '7d': { label: 'Last 7 days', days: 6 },
  '30d': { label: 'Last 30 days', days: 29 },
} as const

const isRecentRange = (text: string): text is keyof typeof recentRanges => Object.hasOwn(recentRanges, text)

export const isValidDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** First and last day of a custom range, `2026-11-01..2026-11-20`; `''` where it is open. */
export const parseDays = (dates: string): { from: string; to: string } => {
  const [from = '', to = ''] = dates.includes('..') ? dates.split('..') : []
  return { from: isValidDay(from) ? from : '', to: isValidDay(to) ? to : '' }
}

/** Prints a custom range; one that ends before it begins becomes its last chosen day. `''` for an open one. */
export const printDays = ({ from, to }: { from: string; to: string }, chosen: 'from' | 'to' = 'from'): string => {
  if (from === '' && to === '') return ''
  if (from !== '' && to !== '' && from > to) return chosen === 'from' ? `${from}..${from}` : `${to}..${to}`
  return `${from}..${to}`
}

/** Keeps a recent or custom range; `''` for any other text. */
export const parseDates = (text: string): string => (isRecentRange(text) ? text : printDays(parseDays(text)))

/** Start of a day in the reader's zone, or of one `later`. */
export const startOfDay = (day: string, later = 0): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(fromWallMs(Date.UTC(year, month - 1, date + later)))
}

/** Instants of a range in the reader's zone: from the start of its first day to the end of its last. */
export const toInstants = (dates: string, nowMs: number): { from: string | undefined; to: string | undefined } => {
  if (isRecentRange(dates)) {
    return { from: startOfDay(toDay(nowMs, -recentRanges[dates].days)).toISOString(), to: undefined }
  }
  const { from, to } = parseDays(dates)
  return {
    from: from === '' ? undefined : startOfDay(from).toISOString(),
    to: to === '' ? undefined : startOfDay(to, 1).toISOString(),
  }
}
