const minuteMs = 60_000
/** A larger difference is no clock: its instants would leave the calendar. */
const maxLeadMs = 100 * 366 * 86_400_000
const instants = new Set(['createdAt', 'startedAt', 'updatedAt', 'archivedAt', 'expiresAtMs'])

/**
 * Returns the function that moves the instants of an answer from the service's clock, which is `leadMs` ahead of ours, to ours. It moves
 * them by whole minutes, and by as many as before while the clocks allow, so that two reads of one record give the same instants.
 */
export const createOwnClock = () => {
  let movedMs = 0
  const move = (field: unknown) => {
    if (typeof field === 'number') return field - movedMs
    return typeof field === 'string' ? new Date(Date.parse(field) - movedMs).toISOString() : field
  }
  return <T extends object>(answer: T, leadMs: number | null): T => {
    if (leadMs !== null && Math.abs(leadMs) < maxLeadMs && Math.abs(leadMs - movedMs) > 0.75 * minuteMs)
      movedMs = Math.round(leadMs / minuteMs) * minuteMs
    if (movedMs === 0) return answer
    const fields = Object.entries(answer).map(([name, field]) => [name, instants.has(name) ? move(field) : field])
    return Object.fromEntries(fields) as T
  }
}
