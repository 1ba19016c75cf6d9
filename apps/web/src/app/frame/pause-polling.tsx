import { useQueryClient } from '@tanstack/react-query'
import { polling } from '#lib/polling/polling.ts'
import { Button } from '#ui/buttons/button.tsx'
import { usePausedByReader } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'

/** Pauses polling on this page. Docket itself keeps watching. */
export const usePausePolling = () => {
  const paused = usePausedByReader()
  const client = useQueryClient()
  const toggle = () => {
    polling.set({ paused: !paused })
    if (paused) void client.invalidateQueries()
  }
  return { paused, toggle }
}

export const PausedNotice = () => {
  const { paused, toggle } = usePausePolling()
  return (
    paused && (
      <Notice tone="attention" role="status" action={<Button onClick={toggle}>Resume</Button>}>
        Refreshing is paused. Docket keeps watching.
      </Notice>
    )
  )
}
