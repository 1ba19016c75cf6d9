/**
 * What another machine's clock shows, in milliseconds since the epoch: the `Date` of its response (RFC 9110 §6.6.1) and the `Age` that a
 * cache added. Null when it sends no date. Its instants are compared with this clock and never with ours, which may differ.
 */
export const readTheirNow = (header: (name: 'date' | 'age') => string | null | undefined): number | null => {
  const sentMs = Date.parse(header('date') ?? '')
  const age = header('age') ?? ''
  return Number.isNaN(sentMs) ? null : sentMs + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0)
}
