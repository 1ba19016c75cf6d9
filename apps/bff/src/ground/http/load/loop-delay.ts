const everyMs = 100
const lateMs = 500
/**
 * Late measurements in a row that count as overload. One long pause (a large response, a garbage collection) does not.
 */
const lateLooks = 5

/** Measures how late a timer comes, only while there is work: an idle process has no timer for it. */
export const loopDelay = () => {
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
    /** To be called when work begins; the function it answers with when that work ends. Nothing is measured in between. */
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

/** Whether this process has been too busy to answer for a while. */
export type LoopDelay = ReturnType<typeof loopDelay>
