const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = () => {
  if (document.hidden) return
  for (const listener of listeners) listener()
}

/** Calls `listener` once a second, from one timer for the whole page; not in a hidden tab. Returns the way out. */
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
