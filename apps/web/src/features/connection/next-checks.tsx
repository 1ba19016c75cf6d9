import type { RecordKey } from '@docket/api-types/activity'
import type { ConnectionReport } from '@docket/api-types/connection'
import { formatRough } from '#lib/format.ts'
import { Link } from '#ui/link.tsx'
import { Ticking } from '#ui/ticking.tsx'

const inWords = (nextCheckAt: string) => (now: number) => {
  const leftMs = Date.parse(nextCheckAt) - now
  return leftMs <= 0 ? 'now' : `in ${formatRough(leftMs + 999)}`
}

/** What is read next, with links to it. */
export const NextChecks = ({
  nextChecks,
  pathOf,
}: Pick<ConnectionReport, 'nextChecks'> & { pathOf: (key: RecordKey) => string }) =>
  nextChecks.length === 0 ? (
    <p className="text-sm text-muted">Nothing is to be read. When nothing runs, nothing is asked of the service.</p>
  ) : (
    <ol className="space-y-1 text-sm">
      {nextChecks.map(({ key, title, nextCheckAt }) => (
        <li key={pathOf(key)} className="flex justify-between gap-4">
          <Link
            href={pathOf(key)}
            className="min-w-0 truncate leading-6 underline-offset-2 hover:underline"
            title={title}
          >
            {title}
          </Link>
          <span className="shrink-0 leading-6 text-muted">
            <Ticking text={inWords(nextCheckAt)} />
          </span>
        </li>
      ))}
    </ol>
  )
