import type { AgentJob } from '@docket/api-types/agent-jobs'
import { EyeOff } from 'lucide-react'
import { toJobKey, useFollowAgain, useUnfollow } from '#features/agent-jobs/agent-jobs.queries.ts'
import { Button } from '#ui/button.tsx'
import { SelectionBar } from '#ui/selection/selection-bar.tsx'
import type { Selection } from '#ui/selection/selection.ts'
import { useBulk } from '#ui/selection/use-bulk.ts'

const texts = { one: 'job', formatName: ({ id }: AgentJob) => id }

/** What can be done with several jobs. */
export const JobBulk = ({ selection }: { selection: Selection }) => {
  const bulk = useBulk<AgentJob>(selection, texts)
  const unfollow = useUnfollow()
  const followAgain = useFollowAgain()
  const { items, running, run } = bulk
  return (
    <SelectionBar selection={selection} bulk={bulk} one={texts.one}>
      <Button
        variant="danger"
        busy={running !== null}
        onClick={() =>
          run(items, {
            done: 'No longer following',
            note: () => ' The jobs themselves continue.',
            act: async (job) => unfollow.mutateAsync(toJobKey(job)).then(() => null),
            undo: (job) => followAgain.mutateAsync(toJobKey(job)),
          })
        }
      >
        <EyeOff className="size-3.5" aria-hidden="true" />
        Stop following ({items.length})
      </Button>
    </SelectionBar>
  )
}
