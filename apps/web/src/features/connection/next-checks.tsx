import type { RecordKey } from '@docket/api-types/activity'
import type { ConnectionReport } from '@docket/api-types/connection'
import type { LinkProps } from '@tanstack/react-router'
import { formatRough } from '#lib/format.ts'
import { Link } from '#ui/link.tsx'
import { Ticking } from '#ui/ticking.tsx'

const formatNextCheck = (nextCheckAt: string) => (now: number) => {
  const leftMs = Date.parse(nextCheckAt) - now
  return leftMs <= 0 ? 'now' : `in ${formatRough(leftMs + 999)}`
}

export type NextChecksProps = Pick<ConnectionReport, 'nextChecks'> & {
  linkTo: (key: RecordKey) => Pick<LinkProps, 'to' | 'params'>
}

/** Records that are read next, with links. */
export const NextChecks = ({ nextChecks, linkTo }: NextChecksProps) =>
  nextChecks.length === 0 ? (
    <p className="text-sm text-muted">Nothing is to be read. When nothing runs, nothing is asked of the service.</p>
  ) : (
    <ol className="space-y-1 text-sm">
      {nextChecks.map(({ key, title, nextCheckAt }) => (
        <li key={JSON.stringify(key)} className="flex justify-between gap-4">
          <Link
            {...linkTo(key)}
            className="min-w-0 truncate leading-6 underline-offset-2 hover:underline"
            title={title}
          >
            {title}
          </Link>
          <span className="shrink-0 leading-6 text-muted">
            <Ticking text={formatNextCheck(nextCheckAt)} />
          </span>
        </li>
      ))}
    </ol>
  )
