import type { AgentJob } from '@docket/api-types/agent-jobs'
import { Archive, CircleStop, EyeOff, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { CancelQuestion } from '#features/records/agent-jobs/actions/cancel-dialog.tsx'
import { useRetry } from '#features/records/agent-jobs/actions/use-job-actions.ts'
import {
  toJobKey,
  useArchiveJob,
  useCancelJob,
  useFollowAgain,
  useUnfollow,
} from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorking, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { isolate } from '#lib/text/bidi.ts'
import { formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { SelectionBar } from '#ui/selection/selection-bar.tsx'
import type { Selection } from '#ui/selection/selection.ts'
import { useBulk } from '#ui/selection/use-bulk.ts'

const texts = { one: 'job', formatName: (job: AgentJob) => isolate(formatJobTitle(job)) }

const mayCancel = (job: AgentJob) => isWorking(job) && job.actions?.cancel === null
const works = ({ row }: { row: AgentJob }) => row.meaning !== 'waiting'
const mayRetry = (job: AgentJob) => ['failed', 'cancelled'].includes(job.meaning) && job.actions?.retry === null
const mayArchive = (job: AgentJob) => !isWorking(job) && job.meaning !== 'archived' && job.actions?.archive === null

export const JobBulk = ({ selection }: { selection: Selection }) => {
  const bulk = useBulk<AgentJob>(selection, texts)
  const unfollow = useUnfollow()
  const followAgain = useFollowAgain()
  const cancel = useCancelJob()
  const archive = useArchiveJob()
  const { retry } = useRetry()
  const noPrompts = usePromptRefusal()
  const [asking, setAsking] = useState(false)
  const { items, running, run } = bulk
  const cancelOne = (job: AgentJob) => cancel.mutateAsync(toJobKey(job)).then(() => null)
  const actions = [
    {
      name: 'Cancel',
      icon: CircleStop,
      done: 'Cancelled',
      allows: mayCancel,
      act: cancelOne,
    },
    { name: 'Retry', icon: RotateCw, done: 'Retried', allows: mayRetry, act: retry },
    {
      name: 'Archive',
      icon: Archive,
      done: 'Archived',
      allows: mayArchive,
      act: (job: AgentJob) => archive.mutateAsync(toJobKey(job)).then(() => null),
    },
  ]
  const cancelled = items.filter(({ row }) => mayCancel(row))
  return (
    <SelectionBar selection={selection} bulk={bulk} one={texts.one}>
      <CancelQuestion
        open={asking}
        onClose={() => setAsking(false)}
        title={`Cancel ${formatPlural(cancelled.length, 'job')}?`}
        busy={running !== null}
        onCancel={() => {
          setAsking(false)
          run(cancelled, { done: 'Cancelled', act: cancelOne })
        }}
      >
        Their agents stop working.
      </CancelQuestion>
      {actions.map(({ name, icon: Icon, done, allows, act }) => {
        const open = items.filter(({ row }) => allows(row))
        return (
          open.length > 0 && (
            <Button
              key={name}
              busy={running !== null}
              refused={name === 'Retry' ? noPrompts : null}
              onClick={() => (name === 'Cancel' && open.some(works) ? setAsking(true) : run(open, { done, act }))}
            >
              <Icon className="size-3.5" aria-hidden="true" />
              {name} ({open.length})
            </Button>
          )
        )
      })}
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
