import type { FindingCounts } from '@docket/api-types/artifacts'
import type { ReactNode } from 'react'
import { labelWorstFindings } from '#features/records/static-exports/export-state.ts'
import { formatBytes, formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { toneText } from '#ui/marks/state-mark.tsx'
import type { ArtifactPage, PageFolder } from './page-tree.ts'

const link = 'leading-6 underline-offset-2 hover:underline'

export const pageColumns =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1 pr-4 text-sm sm:grid-cols-[minmax(0,1fr)_6rem_7rem_5rem] sm:*:row-start-1'

const changeLabels = { added: 'Added', changed: 'Changed', moved: 'Moved' }

/** Worst findings in words, or the number of hints; null if there are none. */
export const labelFindings = (counts: FindingCounts): { className: string; words: string } | null => {
  const worst = labelWorstFindings(counts)
  if (worst) return { className: `font-medium ${toneText[worst.tone]}`, words: worst.word }
  return counts.notes > 0 ? { className: 'text-muted', words: formatPlural(counts.notes, 'hint') } : null
}

export const PageMarks = ({ indented, children }: { indented: boolean; children: ReactNode }) => (
  <div
    className={`flex flex-wrap gap-x-3 text-xs empty:hidden max-sm:col-start-1 max-sm:row-start-2 sm:contents ${indented ? 'max-sm:pl-9' : ''}`}
  >
    {children}
  </div>
)

type PageLineProps = {
  exportId: string
  page: ArtifactPage
  /** Closed folder at the same address; the marks then cover its pages too. */
  closed?: PageFolder | null
  children?: ReactNode
  className?: string
}

export const PageLine = ({ exportId, page, closed = null, children, className = '' }: PageLineProps) => {
  const { address, title, sizeBytes, findings, change } = page
  const params = { exportId }
  const found = labelFindings(closed?.findings ?? findings)
  return (
    <div className={`${pageColumns} ${className}`}>
      <div className="flex min-w-0 items-center gap-1">
        {children}
        <div className="min-w-0 flex-1 max-sm:wrap-anywhere sm:flex sm:items-baseline sm:gap-2">
          <Link
            to="/exports/$exportId/preview"
            params={params}
            search={{ path: address }}
            className={`${link} font-medium sm:truncate`}
            title={`Preview ${revealHiddenCharacters(title || address)}`}
          >
            <bdi>{revealHiddenCharacters(title || address)}</bdi>
          </Link>{' '}
          <bdi
            className="font-mono text-xs text-muted max-sm:block sm:max-w-[50%] sm:shrink-0 sm:truncate"
            title={revealHiddenCharacters(address)}
          >
            {title && revealHiddenCharacters(address)}
          </bdi>
          {closed && <span className="shrink-0 text-xs text-muted">{formatPlural(closed.count, 'page')}</span>}
        </div>
      </div>
      <PageMarks indented={children !== undefined}>
        {closed && closed.changes > 0 && (
          <span className="text-muted sm:col-start-2">{formatCount(closed.changes)} changed</span>
        )}
        {!closed && change && (
          <Link
            to="/exports/$exportId/changes/page"
            params={params}
            search={{ address }}
            className={`text-live sm:col-start-2 ${link}`}
          >
            {changeLabels[change]}
          </Link>
        )}
        {found && closed && <span className={`sm:col-start-3 ${found.className}`}>{found.words}</span>}
        {found && !closed && (
          <Link
            to="/exports/$exportId/findings"
            params={params}
            search={{ page: address }}
            className={`sm:col-start-3 ${link} ${found.className}`}
          >
            {found.words}
          </Link>
        )}
      </PageMarks>
      <span className="text-right text-xs text-muted tabular-nums max-sm:col-start-2 max-sm:row-start-1 sm:col-start-4">
        {formatBytes(sizeBytes)}
      </span>
    </div>
  )
}
