import type { Artifact } from '@docket/api-types/artifacts'
import { useQuery } from '@tanstack/react-query'
import { Eye, GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '#ui/buttons/button.tsx'
import { Skeleton, Panel } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { formatChanges } from './change-labels.ts'
import { comparedQuery } from './comparisons.queries.ts'

type ChangesPanelProps = {
  exportId: string
  /** Changes since the previous export; null without one. */
  change: Artifact['change']
  /** Export that readers see; null if it is this one, or if there is none. */
  liveId: string | null
  live: ReactNode
  hasPicture: boolean
}

/** What an export changes against the one that readers see, or else against the previous one. */
export const ChangesPanel = ({ exportId, change, liveId, live, hasPicture }: ChangesPanelProps) => {
  const isKnown = liveId === null || change?.against === liveId
  const { data, isPending } = useQuery({ ...comparedQuery(exportId, liveId ?? ''), enabled: !isKnown })
  // The bundle of what is live may be deleted.
  const against = isKnown || data ? liveId : null
  const counts = !isKnown && data ? data.counts : change
  const search = against === null ? {} : { against }
  return (
    <Panel title="Changes">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-64">
          <p className="text-lg font-semibold">
            {!isKnown && isPending ? (
              <Skeleton className="h-7 w-48" />
            ) : counts ? (
              formatChanges(counts)
            ) : (
              'The first export of this site'
            )}
          </p>
          <p className="mt-0.5 text-sm text-muted">
            {counts && `Pages, compared with ${against === null ? 'the previous export' : 'what is live'}. `}
            {live}
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            {counts && (
              <Link to="/exports/$exportId/changes" params={{ exportId }} search={search} className={buttonClass()}>
                <GitCompareArrows className="size-3.5" aria-hidden="true" />
                Compare
              </Link>
            )}
            <Link
              to="/exports/$exportId/preview"
              params={{ exportId }}
              search={{ path: '/' }}
              className={buttonClass()}
              title="Opens offline, as in an air-gapped network."
            >
              <Eye className="size-3.5" aria-hidden="true" />
              Open preview
            </Link>
          </div>
        </div>
        {hasPicture && (
          <img
            src={`/api/static-exports/${exportId}/artifact/picture`}
            alt="First page"
            width={1280}
            height={800}
            className="h-auto w-72 max-w-full rounded-md border border-line"
          />
        )}
      </div>
    </Panel>
  )
}
