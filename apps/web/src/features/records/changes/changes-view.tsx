import type { Changes, Commit } from '@docket/api-types/changes'
import { useId, type ReactNode } from 'react'
import { formatCount, formatInstant, revealHiddenCharacters } from '#lib/text/format.ts'
import { DiffView } from './diff-view.tsx'

type ChangesViewProps = { changes: Changes; renderHash?: (hash: string) => ReactNode }

export const ChangesView = ({ changes, renderHash }: ChangesViewProps) => (
  <div className="grid gap-6">
    <Commits {...changes} {...(renderHash && { renderHash })} />
    <DiffView diff={changes.diff} />
  </div>
)

type CommitsProps = Omit<Changes, 'diff'> & { renderHash?: (hash: string) => ReactNode }

const Commits = ({ commits, total, renderHash = (hash) => hash.slice(0, 10) }: CommitsProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base font-semibold">
        Commits <span className="text-sm font-normal text-muted">{formatCount(total)}</span>
      </h2>
      {total === 0 ? (
        <p className="panel px-4 py-3 text-sm text-muted">The main branch has all of them.</p>
      ) : (
        <ol className="panel divide-y divide-line">
          {commits.map((commit) => (
            <li key={commit.hash} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 text-sm">
              <span className="font-mono text-xs text-muted">{renderHash(commit.hash)}</span>
              <bdi className="min-w-0 flex-1 basis-48 wrap-anywhere">{revealHiddenCharacters(commit.subject)}</bdi>
              <span className="text-xs text-muted">
                <bdi className="wrap-anywhere">{revealHiddenCharacters(commit.author)}</bdi> ·{' '}
                <CommitTime commit={commit} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {total > commits.length && (
        <p className="mt-1.5 text-xs text-muted">The newest {formatCount(commits.length)} are shown.</p>
      )}
    </section>
  )
}

/** Time of a commit; its author chooses it, so it can be anything. */
export const CommitTime = ({ commit: { at } }: { commit: Pick<Commit, 'at'> }) =>
  Number.isNaN(Date.parse(at)) ? (
    <bdi>{revealHiddenCharacters(at)}</bdi>
  ) : (
    <time dateTime={at}>{formatInstant(at)}</time>
  )
