import type { CodeHostPulls } from '@docket/api-types/code-host'
import { formatCount, revealHiddenCharacters } from '#lib/text/format.ts'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import type { PullFilter } from './code-host.queries.ts'
import { pullState } from './pull-state.ts'

const filters = { open: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' } as const

export const CloneCommand = ({ clonePath }: { clonePath: string }) => {
  const command = `git clone ${location.origin}${clonePath}`
  return (
    <section aria-label="Clone" className="panel mb-6 px-4 py-3">
      <p className="flex items-center gap-2 text-sm">
        <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </p>
      <p className="mt-1 text-xs text-muted">Any user name, and an API token as the password. You can’t push here.</p>
    </section>
  )
}

type PullListProps = { data: CodeHostPulls; filter: PullFilter; from: number | undefined }

/** Pull requests of a project with a filter by state. `from` is the first number of an older part. */
export const PullList = ({ data: { projectId, pulls, counts, next }, filter, from }: PullListProps) => {
  const count = (value: PullFilter) => (value === 'all' ? counts.open + counts.merged + counts.closed : counts[value])
  const older = 'inline-flex min-h-6 items-center text-accent hover:underline'
  return (
    <section aria-labelledby="pull-requests">
      <h2 id="pull-requests" className="mb-2.5 text-base font-semibold">
        Pull requests
      </h2>
      <nav aria-label="Pull requests by state" className="mb-3 flex flex-wrap gap-1.5">
        {(Object.keys(filters) as PullFilter[]).map((value) => (
          <Link
            key={value}
            to="/code/$projectId"
            params={{ projectId }}
            search={value === 'open' ? {} : { state: value }}
            className={`inline-flex h-7 items-center rounded-full border px-2.5 text-sm font-medium ${
              value === filter
                ? 'border-accent bg-accent-soft text-accent'
                : 'border-line bg-surface text-muted hover:bg-hover'
            }`}
          >
            {value === filter && <span className="sr-only">Shown: </span>}
            {filters[value]}&nbsp;<span className="font-normal">{formatCount(count(value))}</span>
          </Link>
        ))}
      </nav>
      {pulls.length === 0 ? (
        <p className="panel border-dashed p-4 text-sm text-muted">
          {count('all') === 0 ? 'None yet. An agent job that changes files opens one.' : 'None here.'}
        </p>
      ) : (
        <ul className="panel divide-y divide-line">
          {pulls.map(({ number, title, state, openedAt }) => (
            <li key={number} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm">
              <span className="w-20 shrink-0">
                <StateLabel tone={pullState[state].tone}>{pullState[state].word}</StateLabel>
              </span>
              <Link
                to="/code/$projectId/pulls/$number"
                params={{ projectId, number: String(number) }}
                className="min-w-0 flex-1 basis-56 font-medium wrap-anywhere hover:underline"
              >
                <bdi>{revealHiddenCharacters(title)}</bdi> <span className="font-normal text-muted">#{number}</span>
              </Link>
              <span className="text-xs text-muted">
                opened <Ago at={openedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {(from !== undefined || next !== null) && (
        <p className="mt-3 flex gap-5 text-sm">
          {from !== undefined && (
            <Link to="/code/$projectId" params={{ projectId }} search={{ state: filter }} className={older}>
              Newest
            </Link>
          )}
          {next !== null && (
            <Link
              to="/code/$projectId"
              params={{ projectId }}
              search={{ state: filter, before: next }}
              className={older}
            >
              Older
            </Link>
          )}
        </p>
      )}
    </section>
  )
}
