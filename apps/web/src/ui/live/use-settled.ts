import { useEffect, useState } from 'react'

/** The last value that stayed the same for `ms`, so that not every key press makes a call. */
export const useSettledValue = <T>(value: T, ms: number): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
