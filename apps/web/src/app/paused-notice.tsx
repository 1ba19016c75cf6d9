import { useQueryClient } from '@tanstack/react-query'
import { polling } from '#lib/polling.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { usePausedByReader } from '#ui/use-paused.ts'

/** Reminds the reader that they paused polling. */
export const PausedNotice = () => {
  const paused = usePausedByReader()
  const client = useQueryClient()
  if (!paused) return null
  const resume = () => {
    polling.set({ paused: false })
    void client.invalidateQueries()
  }
  return (
    <Notice tone="attention" role="status" action={<Button onClick={resume}>Go on</Button>}>
      Refreshing is paused. Docket itself goes on watching.
    </Notice>
  )
}
