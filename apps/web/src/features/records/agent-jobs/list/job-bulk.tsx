import type { AgentJob } from '@docket/api-types/agent-jobs'
import { Archive, CircleStop, Trash2, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { CancelQuestion } from '#features/records/agent-jobs/actions/cancel-dialog.tsx'
import { useRetryJobOnce } from '#features/records/agent-jobs/actions/use-job-actions.ts'
import {
  toJobKey,
  useArchiveJob,
  useCancelJob,
  useFollowJobAgain,
  useUnfollowJob,
} from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorkingJob, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { isolateText, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { SelectionBar } from '#ui/selection/selection-bar.tsx'
import type { Selection } from '#ui/selection/selection.ts'
import { useBulk } from '#ui/selection/use-bulk.ts'

const texts = { one: 'job', formatName: (job: AgentJob) => isolateText(formatJobTitle(job)) }

const mayCancelJob = (job: AgentJob) => isWorkingJob(job) && job.actions?.cancel === null
const isNotWaiting = ({ row }: { row: AgentJob }) => row.meaning !== 'waiting'
const mayRetryJob = (job: AgentJob) => ['failed', 'cancelled'].includes(job.meaning) && job.actions?.retry === null
const mayArchiveJob = (job: AgentJob) =>
  !isWorkingJob(job) && job.meaning !== 'archived' && job.actions?.archive === null

export const JobBulk = ({ selection }: { selection: Selection }) => {
  const bulk = useBulk<AgentJob>(selection, texts)
  const unfollow = useUnfollowJob()
  const followAgain = useFollowJobAgain()
  const cancel = useCancelJob()
  const archive = useArchiveJob()
  const { retry } = useRetryJobOnce()
  const noPrompts = usePromptRefusal()
  const [asking, setAsking] = useState(false)
  const { items, running, run } = bulk
  const cancelOne = (job: AgentJob) => cancel.mutateAsync(toJobKey(job)).then(() => null)
  const actions = [
    {
      name: 'Cancel',
      icon: CircleStop,
      done: 'Cancelled',
      allows: mayCancelJob,
      act: cancelOne,
    },
    { name: 'Retry', icon: RotateCw, done: 'Retried', allows: mayRetryJob, act: retry },
    {
      name: 'Archive',
      icon: Archive,
      done: 'Archived',
      allows: mayArchiveJob,
      act: (job: AgentJob) => archive.mutateAsync(toJobKey(job)).then(() => null),
    },
  ]
  const cancelled = items.filter(({ row }) => mayCancelJob(row))
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
              icon={Icon}
              key={name}
              busy={running !== null}
              refused={name === 'Retry' ? noPrompts : null}
              onClick={() =>
                name === 'Cancel' && open.some(isNotWaiting) ? setAsking(true) : run(open, { done, act })
              }
            >
              {name} ({open.length})
            </Button>
          )
        )
      })}
      <Button
        icon={Trash2}
        variant="danger"
        busy={running !== null}
        onClick={() =>
          run(items, {
            done: 'Removed',
            note: () => ' The jobs themselves continue.',
            act: async (job) => unfollow.mutateAsync(toJobKey(job)).then(() => null),
            undo: (job) => followAgain.mutateAsync(toJobKey(job)),
          })
        }
      >
        Remove ({items.length})
      </Button>
    </SelectionBar>
  )
}
