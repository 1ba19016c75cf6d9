import type { AgentJob } from '@docket/api-types/agent-jobs'
import { RefreshCw } from 'lucide-react'
import { toMessage } from '#lib/api-error.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.ts'
import { useRefusal } from '#ui/use-refusal.ts'
import { useCheckJob } from './agent-jobs.queries.ts'

/** Reads one job from the service now. */
export const CheckJobButton = ({ job }: { job: AgentJob }) => {
  const { mutate, isPending } = useCheckJob()
  const refused = useRefusal('operator')
  const check = () =>
    mutate(
      { projectId: job.projectId, id: job.id },
      { onError: (error) => toast(`Could not check ${job.id}. ${toMessage(error)}`, { tone: 'failed' }) },
    )
  return (
    <Button
      variant="quiet"
      size="icon"
      className="size-7"
      aria-label={`Check ${job.id} now`}
      title="Check now"
      busy={isPending}
      refused={refused}
      onClick={check}
    >
      <RefreshCw className="size-3.5" aria-hidden="true" />
    </Button>
  )
}
