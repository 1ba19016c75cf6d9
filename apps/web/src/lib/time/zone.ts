import { readStored, writeStored, createStore } from '#lib/state/store.ts'

/** `zone` if this browser knows it. */
const findZone = (zone: string | null | undefined): string | undefined => {
  // A format takes milliseconds of the first paint.
  if (!zone) return undefined
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone: zone }).resolvedOptions().timeZone && zone
  } catch {
    return undefined
  }
}

/** Zone in which the reader sees times; undefined for the zone of this device. */
export const timeZone = createStore(findZone(readStored('local', 'zone')))

/** Shows times in `zone` from now on, also in the first paint. Null for the zone of this device. */
export const keepZone = (zone: string | null | undefined): void => {
  writeStored('local', 'zone', zone ?? null)
  timeZone.set(findZone(zone))
}

/** A format in the zone of the reader. Created on first use, because that takes milliseconds. */
export const createZonedFormat = (options: Intl.DateTimeFormatOptions, locale?: string) => {
  let zone: string | undefined
  let made: Intl.DateTimeFormat | undefined
  return (): Intl.DateTimeFormat => {
    if (made === undefined || zone !== timeZone.get()) {
      zone = timeZone.get()
      made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    }
    return made
  }
}

// Swedish writes `2026-11-21 03:52:57`.
const wallFormat = createZonedFormat({ dateStyle: 'short', timeStyle: 'medium' }, 'sv-SE')

/** What clocks in the reader's zone show at an instant, as if it were UTC. Milliseconds. */
export const toWallMs = (atMs: number): number => {
  const secondMs = Math.floor(atMs / 1000) * 1000
  const wall = wallFormat().format(secondMs).replace(' ', 'T')
  return Date.parse(`${wall}Z`) + (atMs - secondMs)
}

/** The instant at which clocks in the reader's zone show `wallMs`. Milliseconds. */
export const fromWallMs = (wallMs: number): number => {
  const near = wallMs - (toWallMs(wallMs) - wallMs || 0)
  return wallMs - (toWallMs(near) - near || 0)
}

/** Day of an instant in the reader's zone, or of one `later`: `2026-11-21`. */
export const toDay = (atMs: number, later = 0): string =>
  new Date(toWallMs(atMs) + later * 86_400_000).toISOString().slice(0, 10)
