import type { Artifact, FindingLevel } from '@docket/api-types/artifacts'
import { Eye } from 'lucide-react'
import { buildExportLink } from '#features/records/static-exports/export-link.ts'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { StateLabel, StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { describeCheck, formatChanges } from './artifact-labels.ts'

type AnswerProps = { exportId: string; artifact: Artifact }

const link = 'inline-flex min-h-6 items-center text-accent underline-offset-2 hover:underline'

const levels: readonly { level: FindingLevel; name: string; hint: string; tone: Tone }[] = [
  { level: 'breaks', name: 'Breaks', hint: 'Readers meet an error.', tone: 'failed' },
  { level: 'leaks', name: 'Leaks', hint: 'Pages ask another host.', tone: 'attention' },
  { level: 'notes', name: 'Notes', hint: 'Worth knowing.', tone: 'idle' },
]

export const CheckPanel = ({ exportId, artifact: { check } }: AnswerProps) => {
  const params = { exportId }
  const verdict = describeCheck(check)
  const added = check?.added ? check.added.breaks + check.added.leaks + check.added.notes : 0
  return (
    <Panel
      title="Check"
      action={
        <Link to="/exports/$exportId/findings" params={params} className={`${link} text-sm`}>
          All findings
        </Link>
      }
    >
      <div className="text-sm">
        <StateLabel tone={verdict.tone}>{verdict.words}</StateLabel>
        {check?.state === 'not_finished' && (
          <p className="mt-1 wrap-anywhere">
            The check did not finish, so there may be more. <bdi className="text-muted">{check.detail}</bdi>
          </p>
        )}
        {check && (
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {levels.map(({ level, name, hint, tone }) => (
              <li key={level} className="flex flex-wrap items-center gap-x-2 py-1.5">
                <StateMark tone={check.findings[level] === 0 ? 'idle' : tone} />
                <Link to="/exports/$exportId/findings" params={params} search={{ level }} className={link}>
                  {name}
                </Link>
                <span className="text-xs text-muted">{hint}</span>
                <span className="ml-auto font-medium tabular-nums">
                  {formatCount(check.findings[level])}
                  {check.added && check.added[level] > 0 && (
                    <span className="ml-1 text-xs font-normal text-muted">{formatCount(check.added[level])} new</span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        {added > 0 && (
          <Link to="/exports/$exportId/findings" params={params} search={{ state: 'new' }} className={`${link} mt-2`}>
            {formatPlural(added, 'new finding')} since the export before
          </Link>
        )}
      </div>
    </Panel>
  )
}

const kinds = ['added', 'removed', 'changed', 'moved'] as const

export const ChangePanel = ({ exportId, artifact: { change } }: AnswerProps) => {
  const params = { exportId }
  return (
    <Panel
      title="Changes"
      action={
        <Link to="/exports/$exportId/changes" params={params} className={`${link} text-sm`}>
          Compare
        </Link>
      }
    >
      {change ? (
        <div className="text-sm">
          <p className="font-medium">{formatChanges(change)}</p>
          <p className="mt-1 text-muted">
            Pages, compared with{' '}
            <Link {...buildExportLink(change.against)} className={link}>
              the export before
            </Link>
            .
          </p>
          <dl className="mt-3 grid grid-cols-4 gap-2">
            {kinds.map((kind) => (
              <div key={kind} className="min-w-0">
                <dt className="text-xs text-muted first-letter:uppercase">{kind}</dt>
                <dd className="text-lg font-semibold">
                  {change[kind] === 0 ? (
                    '0'
                  ) : (
                    <Link
                      to="/exports/$exportId/changes"
                      params={params}
                      search={{ kind }}
                      className={link}
                      aria-label={`${formatCount(change[kind])} ${kind}`}
                    >
                      {formatCount(change[kind])}
                    </Link>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ) : (
        <p className="text-sm text-muted">Docket hasn’t compared this export with an earlier one.</p>
      )}
    </Panel>
  )
}

export const PreviewPanel = ({ exportId, artifact: { pages } }: AnswerProps) => {
  const params = { exportId }
  return (
    <Panel
      title="Preview"
      action={
        <Link to="/exports/$exportId/pages" params={params} className={`${link} text-sm`}>
          {pages === null ? 'All pages' : `All ${formatPlural(pages, 'page')}`}
        </Link>
      }
    >
      <p className="text-sm text-muted">
        Opens the site apart from Docket, and cuts it off from every other host, as behind an air gap.
      </p>
      <Link to="/exports/$exportId/preview" params={params} search={{ path: '/' }} className={`${buttonClass()} mt-3`}>
        <Eye className="size-3.5" aria-hidden="true" />
        Open preview
      </Link>
    </Panel>
  )
}
