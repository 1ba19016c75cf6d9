import { useEffect, useState, type FocusEvent, type RefObject } from 'react'

/**
 * `isHolding` while somebody reads the list: the pointer or focus is in it, or its start is out of view. Spread `hold` on the list and
 * put `start` at its top.
 */
export const useHold = (list: RefObject<HTMLElement | null>, start: RefObject<HTMLElement | null>) => {
  const [pointer, setPointer] = useState(false)
  const [focus, setFocus] = useState(false)
  const [past, setPast] = useState(false)

  useEffect(() => {
    if (!start.current) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setPast(!entry.isIntersecting && entry.boundingClientRect.top < 0)
    })
    observer.observe(start.current)
    return () => observer.disconnect()
  }, [start])

  useEffect(() => {
    if (!focus) return
    // The browser fires no event when a focused button is removed with its row.
    const check = () => setFocus(list.current?.contains(document.activeElement) ?? false)
    for (const sign of ['pointermove', 'keydown']) addEventListener(sign, check, { passive: true })
    return () => {
      for (const sign of ['pointermove', 'keydown']) removeEventListener(sign, check)
    }
  }, [focus, list])

  return {
    isHolding: pointer || focus || past,
    hold: {
      // A closing dialog fires pointerenter without a pointer movement.
      onPointerMove: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: (event: FocusEvent<HTMLElement>) => setFocus(event.currentTarget.contains(event.relatedTarget)),
    },
  }
}
