import type { PreviewViolations } from '@docket/api-types/previews'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'

const kinds: Readonly<Record<string, string>> = {
  'script-src': 'Script',
  'script-src-elem': 'Script',
  'style-src': 'Style',
  'style-src-elem': 'Style',
  'img-src': 'Image',
  'font-src': 'Font',
  'connect-src': 'Request',
  'media-src': 'Media',
  'frame-src': 'Frame',
  'form-action': 'Form',
  'base-uri': 'Base address',
  'worker-src': 'Worker',
  'service-worker': 'Service worker',
}

type Violations = PreviewViolations['violations']
type ViolationListProps = { violations: Violations; page: string; onPage: (address: string) => void }

/** What pages of the bundle asked for outside it, that of the current page first. */
export const ViolationList = ({ violations, page, onPage }: ViolationListProps) => {
  const isHere = (one: Violations[number]) => one.page === page
  const sorted = [...violations.filter(isHere), ...violations.filter((one) => !isHere(one))]
  return (
    <section aria-labelledby="blocked-requests" className="panel min-w-0 self-start">
      <h2 id="blocked-requests" className="border-b border-line px-4 py-2.5 text-sm font-semibold">
        Blocked requests <span className="font-normal text-muted tabular-nums">{formatCount(violations.length)}</span>
      </h2>
      <p role="status" className="sr-only">
        {violations.length > 0 && formatPlural(violations.length, 'blocked request')}
      </p>
      {sorted.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">
          None so far. Requests to other hosts are listed here when you open the pages that make them.
        </p>
      ) : (
        <ul className="max-h-[60dvh] divide-y divide-line overflow-y-auto text-sm">
          {sorted.map((one) => (
            <li key={`${one.page} ${one.directive} ${one.target}`} className="px-4 py-2">
              <p>
                <span className="font-medium">{kinds[one.directive] ?? one.directive}</span>
                {one.count > 1 && <span className="text-muted tabular-nums"> × {formatCount(one.count)}</span>}
              </p>
              <p className="wrap-anywhere">
                <bdi className="font-mono text-xs">{reveal(one.target)}</bdi>
              </p>
              <p className="text-xs text-muted">
                {isHere(one) ? (
                  'On this page'
                ) : (
                  <Button variant="quiet" className="-ml-3 h-7 max-w-full" onClick={() => onPage(one.page)}>
                    <bdi className="truncate text-xs">{reveal(one.page)}</bdi>
                  </Button>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
