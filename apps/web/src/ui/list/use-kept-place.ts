import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { Tiles } from '#lib/tiles.ts'
import { saveList, savedScroll } from './saved-list.ts'

const quietMs = 150

/** Keeps with the entry of the history how far the list is loaded and scrolled, and goes back there after a reload and on the way back. */
export const useKeptPlace = (tiles: Tiles<unknown, unknown>): void => {
  const [y] = useState(() => savedScroll(tiles.list))
  useLayoutEffect(() => {
    if (y !== null && y > 0) scrollTo(0, y)
  }, [y])

  const save = useEffectEvent(() => {
    if (scrollY > 0 || savedScroll(tiles.list) !== null) saveList(tiles)
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(save, quietMs)
    }
    const now = () => save()
    addEventListener('scroll', later, { passive: true })
    // Before a link takes the reader away.
    document.addEventListener('click', now, { capture: true })
    addEventListener('pagehide', now)
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', later)
      document.removeEventListener('click', now, { capture: true })
      removeEventListener('pagehide', now)
    }
  }, [])
}
