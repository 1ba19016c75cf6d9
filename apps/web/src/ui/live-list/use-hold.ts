import { useEffect, useState, type FocusEvent, type RefObject } from 'react'

/**
 * True while somebody reads the list: the pointer or the focus is in it, or its start has been scrolled away. Spread `hold` on the
 * list, and put `start` at its top.
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
    // A focused button that goes away with its row takes the focus along without a word.
    const check = () => setFocus(list.current?.contains(document.activeElement) ?? false)
    for (const sign of ['pointermove', 'keydown']) addEventListener(sign, check, { passive: true })
    return () => {
      for (const sign of ['pointermove', 'keydown']) removeEventListener(sign, check)
    }
  }, [focus, list])

  return {
    isHolding: pointer || focus || past,
    hold: {
      // A dialog that closes over the list makes the pointer enter it without anybody pointing at a row.
      onPointerMove: () => setPointer(true),
      onPointerLeave: () => setPointer(false),
      onFocus: () => setFocus(true),
      onBlur: (event: FocusEvent<HTMLElement>) => setFocus(event.currentTarget.contains(event.relatedTarget)),
    },
  }
}
