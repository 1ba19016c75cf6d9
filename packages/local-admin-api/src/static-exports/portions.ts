import type { OrderedSource } from '#sources/ordered-source.ts'

/** Progress (0 to 100) while pages are read, and while they are written. The rest is packing. */
export type Portions = {
  reading(read: number, found: number): number
  writing(written: number, total: number): number
}

/** A mirrored site takes most of its time to be read; files on this machine take almost none. */
const readingEnds = { folder: 5, git: 10, mirror: 60 }
const writingEnds = 95
/** How many pages nobody knows of yet, while links are still being followed: the first pages are not most of a site. */
const unforeseen = 50

/** How the progress of an export is shared out, by the kind of its source. Both only grow, as long as what they count does. */
export const portions = (kind: OrderedSource['kind']): Portions => {
  const ends = readingEnds[kind]
  return {
    reading: (read, found) => (ends * read) / (Math.max(read, found) + unforeseen),
    writing: (written, total) => ends + ((writingEnds - ends) * written) / total,
  }
}
