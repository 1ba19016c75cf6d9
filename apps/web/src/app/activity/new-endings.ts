import type { Activity } from '@docket/api-types/activity'
import { currentConnections, findConnection } from '#lib/connections/connections.ts'
import { isolateText, formatPlural } from '#lib/text/format.ts'
import { labelEnding, labelKind } from './activity-labels.ts'

/** Newest ending that a tab of this browser announced, and when a tab last read. Milliseconds since the epoch. */
export type Notified = { eventId: number; lookedAtMs: number }

type Ended = Activity['endings'][number]

/** When no tab has read for this long, missed endings are not announced. */
const maxAbsenceMs = 5 * 60_000

/**
 * Endings to announce now, oldest first, and the new mark. Announces nothing on the browser's first read. On a tab's `firstLook` it
 * continues after the last ending that another tab just announced, and skips older ones.
 */
export const selectNewEndings = (
  endings: readonly Ended[],
  notified: Notified | null,
  { nowMs, firstLook }: { nowMs: number; firstLook: boolean },
): { tell: Ended[]; notified: Notified } => {
  const newest = Math.max(0, ...endings.map(({ eventId }) => eventId))
  const silent = { tell: [], notified: { eventId: newest, lookedAtMs: nowMs } }
  if (notified === null || (firstLook && nowMs - notified.lookedAtMs > maxAbsenceMs)) return silent
  // Another database now serves this address, so event ids start again.
  if (newest < notified.eventId) return silent
  return {
    tell: endings.filter(({ eventId }) => eventId > notified.eventId).toSorted((a, b) => a.eventId - b.eventId),
    notified: silent.notified,
  }
}

/** Text of a notification. The browser replaces an earlier one with the same `tag`. A click opens the record `only`. */
export type Notice = { title: string; body: string; tag: string; only: Ended | null }

const maxNames = 4

const nameConnection = ({ connectionId }: Ended): string | null => {
  const connections = currentConnections.get() ?? []
  return connections.length > 1 ? (findConnection(connections, connectionId)?.name ?? null) : null
}

const printEnding = (item: Ended): string => {
  const name = nameConnection(item)
  return `${isolateText(item.title)}: ${labelEnding(item.ending).word}${name === null ? '' : ` (${isolateText(name)})`}`
}

export const toNotice = (tell: readonly Ended[]): Notice | null => {
  const [first] = tell
  if (!first) return null
  const tag = `docket-${tell.at(-1)!.eventId}`
  if (tell.length === 1)
    return {
      title: `${first.title}: ${labelEnding(first.ending).word}`,
      body: [labelKind(first.key), nameConnection(first)].filter(Boolean).join(' · '),
      tag,
      only: first,
    }
  const lines = tell.slice(0, maxNames).map(printEnding)
  const more = tell.length - maxNames
  return {
    title: `${formatPlural(tell.length, 'record')} ended`,
    body: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    tag,
    only: null,
  }
}
