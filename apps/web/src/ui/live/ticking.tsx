import { useSyncExternalStore } from 'react'
import { polling } from '#lib/polling/polling.ts'
import { formatAgo, formatDuration, formatInstant, formatUtc } from '#lib/text/format.ts'
import { nowMs, onTick } from '#lib/time/clock.ts'

/** Text that depends on the time, in an element of its own. Renders again only when it changes. */
export const TickingText = ({ text }: { text: (nowMs: number) => string }) => (
  <span>{useSyncExternalStore(onTick, () => text(nowMs()))}</span>
)

export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={`${formatInstant(at)} · ${formatUtc(at)}`}>
    <TickingText text={(now) => formatAgo(at, now)} />
  </time>
)

export const Instant = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatUtc(at)}>
    {formatInstant(at)}
  </time>
)

export const Elapsed = ({ from, to }: { from: string; to: string | null }) =>
  to ? (
    <span>{formatDuration(Date.parse(to) - Date.parse(from))}</span>
  ) : (
    <TickingText text={(now) => formatDuration(now - Date.parse(from))} />
  )

export const usePausedByReader = (): boolean => useSyncExternalStore(polling.subscribe, polling.get).paused

/** True while the reader paused polling or no user is signed in. */
export const usePaused = (): boolean => {
  const { paused, stopped } = useSyncExternalStore(polling.subscribe, polling.get)
  return paused || stopped
}
