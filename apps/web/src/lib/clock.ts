let skewMs = 0

/** Learns from a `Date` header how far this machine's clock is off; "4 s ago" would lie otherwise. */
export const syncClock = (date: string | null): void => {
  const server = Date.parse(date ?? '')
  if (Number.isNaN(server)) return
  const difference = server - Date.now()
  // The header counts in whole seconds, so small differences are noise.
  skewMs = Math.abs(difference) < 3000 ? 0 : difference
}

/** The server's time as well as it is known here. Milliseconds since the epoch. */
export const nowMs = (): number => Date.now() + skewMs
