import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderedSource } from '@docket/sources/site-source'

/** A mirrored site takes most of its time to be opened; files on this machine take almost none. */
const openingEnds = { folder: 0, git: 5, mirror: 55 }
const readingTakes = 5
const writingEnds = 95
/** Pages assumed to be still unknown while links are followed: the first pages are not most of a site. */
const unforeseen = 50

/** Progress (0 to 100) while a source is opened, its pages are looked at, and they are written. Only grows; the rest is packing. */
export const portions = (kind: OrderedSource['kind']) => {
  const opened = openingEnds[kind]
  const begins = opened + readingTakes
  return {
    opening: (read: number, found: number) => (opened * read) / (Math.max(read, found) + unforeseen),
    // Some files are looked at more than once.
    reading: (read: number, files: number) => opened + readingTakes * Math.min(1, read / Math.max(1, files)),
    writing: (pagesWritten: number, total: number) => begins + ((writingEnds - begins) * pagesWritten) / total,
  }
}

/** Keeps a pause over a small site visible. */
const minSteps = 60

/** Spreads a pause over the pages of a site. Reports the finished part of the current page (0 to 1) after each step. */
export const pausing =
  (pauseMs: number) =>
  async (total: number, say: (part: number) => Promise<void>): Promise<void> => {
    const steps = pauseMs > 0 ? Math.ceil(minSteps / total) : 0
    for (let step = 0; step < steps; step += 1) {
      await say(step / steps)
      await sleep(pauseMs / total / steps)
    }
    await say(1)
  }
