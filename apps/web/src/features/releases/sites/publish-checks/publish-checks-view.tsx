import type { PublishChecks } from '@docket/api-types/publish-checks'
import type { Site } from '@docket/api-types/sites'
import type { ReactNode } from 'react'
import { countChecks, describePageChange } from '#features/releases/sites/site-labels.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { formatCount } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { PublishChecklist } from './checklist.tsx'

const PublishedChanges = ({ site, publishChecks }: { site: Site; publishChecks: PublishChecks }) => {
  const seesExports = useSeesExports(site)
  const { against, isShown } = publishChecks
  const change = describePageChange(publishChecks.change)
  if (isShown) return <p className="text-sm">This export is live already.</p>
  if (against === null)
    return <p className="text-sm">Nothing is live yet, so readers see every page for the first time.</p>
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="font-medium first-letter:uppercase">
        {change ?? `Compared with release ${formatCount(against.number)}`}
      </span>
      {seesExports && (
        <Link
          to="/exports/$exportId/changes"
          params={{ exportId: publishChecks.exportId }}
          search={{ against: against.exportId }}
          target="_blank"
          className="inline-flex min-h-6 items-center text-accent hover:underline"
        >
          Compare with release {formatCount(against.number)}
          <span className="sr-only"> (opens in a new tab)</span>
        </Link>
      )}
    </p>
  )
}

export const PublishChecksView = (props: { site: Site; publishChecks: PublishChecks; children?: ReactNode }) => {
  const { publishChecks, children } = props
  return (
    <div className="grid gap-3">
      <PublishedChanges {...props} />
      <details open={!publishChecks.passed}>
        <summary className="min-h-6 cursor-pointer text-sm font-semibold">
          Checks before publishing ·{' '}
          <span role="status" className={publishChecks.passed ? 'text-done' : 'text-failed'}>
            {countChecks(publishChecks.checks)}
          </span>
        </summary>
        <div className="mt-1.5">
          <PublishChecklist checks={publishChecks.checks} />
        </div>
      </details>
      {children}
    </div>
  )
}
