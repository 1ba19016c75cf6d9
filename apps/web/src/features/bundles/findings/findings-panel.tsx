import type { ArtifactCheck } from '@docket/api-types/artifacts'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Panel } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { StateLabel, StateMark } from '#ui/marks/state-mark.tsx'
import { describeCheck, formatLevel, levelLabels, sourceRules } from './finding-labels.ts'
import { findingLevels } from './findings-search.ts'
import { sourceHintsQuery } from './findings.queries.ts'

const link = 'inline-flex min-h-6 items-center font-medium text-accent underline-offset-2 hover:underline'

/** Number of broken links in the author's own sources, which only the service sees. */
const SourceHints = ({ exportId }: { exportId: string }) => {
  const { data } = useQuery(sourceHintsQuery(exportId))
  const count = data?.counts.rules.reduce((sum, one) => sum + (sourceRules.includes(one.rule) ? one.count : 0), 0) ?? 0
  return count > 0 && <span className="text-attention">{formatPlural(count, 'broken link')} in the site’s sources</span>
}

/** What the bundle lacks because Docket made it portable. */
const LeftOut = ({ exportId }: { exportId: string }) => {
  const { data } = useQuery(sourceHintsQuery(exportId))
  const [rule, params] = ['report-left-out', { exportId }]
  const count = data?.counts.rules.find((one) => one.rule === rule)?.count ?? 0
  return (
    <p className="text-sm not-last:mb-3">
      Docket made this site portable.{' '}
      {count > 0 && (
        <Link to="/exports/$exportId/findings" params={params} search={{ rule }} className={link}>
          {formatPlural(count, 'thing')} left out
        </Link>
      )}
    </p>
  )
}

type FindingsPanelProps = { exportId: string; check: ArtifactCheck | null; madePortable: boolean }

export const FindingsPanel = ({ exportId, check, madePortable }: FindingsPanelProps) => {
  const params = { exportId }
  const verdict = describeCheck(check)
  const hasRows = check !== null && check.findings.breaks + check.findings.leaks > 0
  return (
    <Panel title="Findings">
      {madePortable && check && <LeftOut exportId={exportId} />}
      {!hasRows && <StateLabel tone={verdict.tone}>{verdict.words}</StateLabel>}
      {check?.state === 'not_finished' && (
        <p className="text-sm wrap-anywhere not-last:mb-3">
          The check did not finish, so there may be more. <bdi className="text-muted">{check.detail}</bdi>
        </p>
      )}
      {check && (
        <ul className="divide-y divide-line text-sm empty:hidden">
          {findingLevels
            .filter((level) => check.findings[level] > 0)
            .map((level) => (
              <li key={level} className="flex flex-wrap items-center gap-x-2 py-2">
                <StateMark tone={levelLabels[level].tone} />
                <Link to="/exports/$exportId/findings" params={params} search={{ level }} className={link}>
                  {formatLevel(level, check.findings[level])}
                </Link>
                {check.added && check.added[level] > 0 && (
                  <span className="text-muted">{formatCount(check.added[level])} new</span>
                )}
                {level === 'notes' ? (
                  <SourceHints exportId={exportId} />
                ) : (
                  <span className="text-muted">{levelLabels[level].hint}</span>
                )}
              </li>
            ))}
        </ul>
      )}
    </Panel>
  )
}
