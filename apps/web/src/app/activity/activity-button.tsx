import { Activity } from 'lucide-react'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { useSingleKeys } from '#app/keys/shortcuts.ts'
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

export const ActivityButton = ({ compact = false }: { compact?: boolean }) => {
  const running = useRunningCount()
  return (
    <button
      type="button"
      popoverTarget={popoverId}
      data-activity={compact ? 'compact' : 'wide'}
      title={`Running and recently ended${useSingleKeys() ? ' (r)' : ''}`}
      className={
        compact
          ? 'inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-md px-1.5 text-muted hover:bg-hover hover:text-text'
          : 'mb-1 flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-text'
      }
    >
      <Activity className="size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <span className={compact ? 'sr-only' : 'flex-1 text-left'}>Activity</span>
      <RunningCount count={running} what="running" />
    </button>
  )
}
