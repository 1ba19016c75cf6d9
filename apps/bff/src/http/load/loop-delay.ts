/** Detects an overloaded process. */
export type LoopDelay = {
  /** Call it when work begins, and call the returned function when that work ends. Measures only in between. */
  begin: () => () => void
  late: () => boolean
}

const everyMs = 100
const lateMs = 500
/**
 * Late measurements in a row that count as overload. One long pause (a large response, a garbage collection) does not.
 */
const lateLooks = 5

/** Measures how late a timer fires, only during work: an idle process has no timer. */
export const loopDelay = (): LoopDelay => {
  let working = 0
  let inARow = 0
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    const due = performance.now() + everyMs
    timer = setTimeout(() => {
      inARow = performance.now() - due > lateMs ? inARow + 1 : 0
      look()
    }, everyMs)
    timer.unref()
  }

  return {
    begin: () => {
      working += 1
      if (working === 1) look()
      return () => {
        working -= 1
        if (working > 0) return
        clearTimeout(timer)
        inARow = 0
      }
    },
    late: () => inARow >= lateLooks,
  }
}
