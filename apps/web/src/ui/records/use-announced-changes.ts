import { useEffect, useEffectEvent, useRef } from 'react'
import { announce } from '#lib/state/announcements.ts'

/** Announces changes of `rows` to screen readers, as far as `describe` has words for them. The first rows are silent. */
export const useAnnouncedChanges = <Row>(
  rows: readonly Row[] | undefined,
  getId: (row: Row) => string,
  describe: (before: Row | undefined, after: Row) => string | null,
): void => {
  const previous = useRef<Map<string, Row> | null>(null)
  const tell = useEffectEvent((next: readonly Row[]) => {
    const before = previous.current
    for (const row of next) {
      const words = before && describe(before.get(getId(row)), row)
      if (words) announce(words)
    }
    previous.current = new Map(next.map((row) => [getId(row), row]))
  })
  useEffect(() => {
    if (rows) tell(rows)
  }, [rows])
}
