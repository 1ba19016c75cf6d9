const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const notifyListeners = () => {
  if (document.hidden) return
  for (const listener of listeners) listener()
}

/** Calls `listener` every second unless the tab is hidden. Returns an unsubscribe function. */
export const onTick = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(notifyListeners, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

let skewMs = 0

/** Measures this machine's clock skew with a `Date` header. */
export const syncClock = (date: string | null): void => {
  const server = Date.parse(date ?? '')
  if (Number.isNaN(server)) return
  const difference = server - Date.now()
  // The `Date` header counts whole seconds, so small differences are noise.
  skewMs = Math.abs(difference) < 3000 ? 0 : difference
}

/** Estimated time of the server. Milliseconds since the epoch. */
export const nowMs = (): number => Date.now() + skewMs
