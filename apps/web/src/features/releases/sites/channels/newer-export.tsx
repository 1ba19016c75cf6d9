import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { describePageChange, isNewerWaiting } from '#features/releases/sites/site-labels.ts'
import { publishChecksQuery } from '#features/releases/sites/sites.queries.ts'

type NewerExportProps = {
  site: Site
  channel: Channel
  /** False in long lists, which would send too many requests; the number of changes is then omitted. */
  counts?: boolean
}

/** Reports an export that is newer than the channel's, and how many pages it would change. Renders nothing otherwise. */
export const NewerExport = ({ site, channel, counts = true }: NewerExportProps) => {
  const paused = usePaused()
  const isWaiting = isNewerWaiting(site, channel)
  const { data: publishChecks } = useQuery({
    ...publishChecksQuery(site.siteId, channel, site.newest?.exportId ?? '', paused),
    enabled: counts && isWaiting && channel.current !== null,
    refetchInterval: false,
    staleTime: 300_000,
  })
  if (!isWaiting) return null
  const change = publishChecks ? describePageChange(publishChecks.change) : null
  return (
    <span className="inline-flex max-w-full items-start gap-1.5 text-live">
      <StateMark tone="waiting" className="mt-0.5 size-4" />
      <span>{channel.current === null ? 'Ready to publish' : ['Newer export', change].filter(Boolean).join(', ')}</span>
    </span>
  )
}
