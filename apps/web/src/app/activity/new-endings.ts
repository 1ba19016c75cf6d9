import type { Activity } from '@docket/api-types/activity'
import { formatPlural } from '#lib/format.ts'
import { labelEnding, labelKind } from './activity-labels.ts'

/** The newest ending that some tab of this browser has told of, and when a tab last looked. Milliseconds since the epoch. */
export type Notified = { eventId: number; lookedAtMs: number }

type Ended = Activity['endings'][number]

/** After this long with no tab looking, nobody waited for what happened meanwhile, and it is not told. */
const maxAbsenceMs = 5 * 60_000

/**
 * What is to be told now, oldest first, and what is told from then on. Nothing at the first look of all. `firstLook` is the first one
 * of this tab: it goes on where another tab stopped a moment ago, and replays nothing of before.
 */
export const newEndings = (
  endings: readonly Ended[],
  notified: Notified | null,
  { nowMs, firstLook }: { nowMs: number; firstLook: boolean },
): { tell: Ended[]; notified: Notified } => {
  const newest = Math.max(0, ...endings.map(({ eventId }) => eventId))
  const silent = { tell: [], notified: { eventId: newest, lookedAtMs: nowMs } }
  if (notified === null || (firstLook && nowMs - notified.lookedAtMs > maxAbsenceMs)) return silent
  // Another database stands behind this address now: its events count from the start.
  if (newest < notified.eventId) return silent
  return {
    tell: endings.filter(({ eventId }) => eventId > notified.eventId).toSorted((a, b) => a.eventId - b.eventId),
    notified: silent.notified,
  }
}

/** What a notification says. `tag` makes the browser replace one of the same events. `only` is the record it opens. */
export type Notice = { title: string; body: string; tag: string; only: Ended | null }

const maxNames = 4

/** One notification for all of `tell`; null for none. */
export const toNotice = (tell: readonly Ended[]): Notice | null => {
  const [first] = tell
  if (!first) return null
  const tag = `docket-${tell.at(-1)!.eventId}`
  if (tell.length === 1)
    return { title: `${first.title}: ${labelEnding(first.ending).word}`, body: labelKind(first.key), tag, only: first }
  const lines = tell.slice(0, maxNames).map(({ title, ending }) => `${title}: ${labelEnding(ending).word}`)
  const more = tell.length - maxNames
  return {
    title: `${formatPlural(tell.length, 'record')} ended`,
    body: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    tag,
    only: null,
  }
}
