import { useEffect, useEffectEvent } from 'react'

/** Stands for a dialog whose code is being loaded: Escape closes that too. */
export const DialogLoading = ({ onClose }: { onClose: () => void }): null => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return null
}
