import type { AgentJob } from '@docket/api-types/agent-jobs'
import { EyeOff, RefreshCw } from 'lucide-react'
import { messageOf } from '#lib/api-error.ts'
import { Button } from '#ui/button.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { toast } from '#ui/toaster.tsx'
import { useCheckJob, useFollowAgain, useUnfollow } from './agent-jobs.queries.ts'

const failed = (error: unknown) => toast(messageOf(error), { tone: 'failed' })

/** *Check now*, and the menu with the rest. */
export const JobMenu = ({ job }: { job: AgentJob }) => {
  const check = useCheckJob()
  const unfollow = useUnfollow()
  const followAgain = useFollowAgain()
  const key = { projectId: job.projectId, id: job.id }
  const stop = () =>
    unfollow.mutate(key, {
      onSuccess: () =>
        toast(`No longer following ${job.id}. The job itself goes on.`, {
          action: { label: 'Undo', run: () => followAgain.mutate(key, { onError: failed }) },
        }),
      onError: failed,
    })
  return (
    <div className="flex shrink-0 items-center">
      <Button
        variant="quiet"
        size="icon"
        aria-label={`Check ${job.id} now`}
        title="Check now"
        busy={check.isPending}
        onClick={() => check.mutate(key, { onError: failed })}
      >
        {!check.isPending && <RefreshCw className="size-4" aria-hidden="true" />}
      </Button>
      <Menu label={`More for ${job.id}`}>
        <MenuItem icon={<EyeOff />} danger onSelect={stop}>
          Stop following
        </MenuItem>
      </Menu>
    </div>
  )
}
