import { useEffect, useState } from 'react'
import { onAnnouncement } from '#lib/state/announcements.ts'

export const LiveRegion = () => {
  const [text, setText] = useState('')
  useEffect(() => onAnnouncement(setText), [])
  return (
    <div role="status" aria-live="polite" className="sr-only" data-testid="announcements">
      {text}
    </div>
  )
}
