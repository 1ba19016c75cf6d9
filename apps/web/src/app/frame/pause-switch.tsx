import { useQueryClient } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { polling } from '#lib/polling/polling.ts'
import { Button } from '#ui/buttons/button.tsx'
import { IconButton } from '#ui/buttons/icon-button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { usePausedByReader } from '#ui/live/use-paused.ts'

export const usePausePolling = () => {
  const paused = usePausedByReader()
  const client = useQueryClient()
  const toggle = () => {
    polling.set({ paused: !paused })
    if (paused) void client.invalidateQueries()
  }
  return { paused, toggle }
}

/** Pauses polling on this page. Docket itself keeps watching. */
export const PauseSwitch = () => {
  const { paused, toggle } = usePausePolling()
  return (
    <IconButton
      icon={paused ? Play : Pause}
      aria-pressed={paused}
      label="Pause refreshing"
      title={paused ? 'Resume refreshing this page' : 'Pause refreshing this page. Docket keeps watching.'}
      className={paused ? 'bg-attention-soft text-attention' : ''}
      onClick={toggle}
    />
  )
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
