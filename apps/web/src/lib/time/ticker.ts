const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = () => {
  if (document.hidden) return
  for (const listener of listeners) listener()
}

/** Calls `listener` every second unless the tab is hidden. Returns an unsubscribe function. */
export const onTick = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
