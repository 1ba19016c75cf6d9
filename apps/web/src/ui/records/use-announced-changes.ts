import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { announce } from '#lib/state/announcements.ts'
import { nowMs } from '#lib/time/clock.ts'

/** Announces changes of `rows` to screen readers if `describe` returns a text for them; `sinceMs` is when watching started. The first rows are silent. */
export const useAnnouncedChanges = <Row>(
  rows: readonly Row[] | undefined,
  getId: (row: Row) => string,
  describe: (before: Row | undefined, after: Row, sinceMs: number) => string | null,
): void => {
  const [sinceMs] = useState(nowMs)
  const previous = useRef<Map<string, Row> | null>(null)
  const tell = useEffectEvent((next: readonly Row[]) => {
    const before = previous.current
    for (const row of next) {
      const words = before && describe(before.get(getId(row)), row, sinceMs)
      if (words) announce(words)
    }
    previous.current = new Map(next.map((row) => [getId(row), row]))
  })
  useEffect(() => {
    if (rows) tell(rows)
  }, [rows])
}
