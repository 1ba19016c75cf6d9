import { Bell } from 'lucide-react'
import { useSingleKeys } from '#app/keys/shortcuts.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { popoverId } from './activity-popover.tsx'

const useRunningCount = (): number => {
  const { data } = useStatus()
  return data ? data.active.staticExports + data.active.agentJobs : 0
}

export const RunningCount = ({ count, what }: { count: number; what: string }) =>
  count === 0 ? null : (
    <span className="ml-auto rounded-full bg-live-soft px-1.5 text-xs font-medium text-live">
      {count}
      <span className="sr-only"> {what}</span>
    </span>
  )

export const ActivityButton = () => (
  <button
    type="button"
    popoverTarget={popoverId}
    title={`Running and recently ended${useSingleKeys() ? ' (r)' : ''}`}
    className="inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-md px-1.5 text-muted hover:bg-hover hover:text-text"
  >
    <Bell className="size-4 shrink-0" aria-hidden="true" />
    <span className="sr-only">Activity</span>
    <RunningCount count={useRunningCount()} what="running" />
  </button>
)
