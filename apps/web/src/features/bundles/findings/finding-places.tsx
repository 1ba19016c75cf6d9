import type { Finding } from '@docket/api-types/artifacts'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatCount } from '#lib/text/format.ts'
import { revealHiddenCharacters } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { printFilePath } from './findings.queries.ts'

const linkClass =
  'inline-flex min-h-6 min-w-6 items-center text-accent underline decoration-1 underline-offset-2 hover:decoration-2'

const firstPlaces = 10

type PlacesProps = {
  exportId: string
  finding: Finding
  /** The page that the filters choose; `''` for all. */
  page: string
  refused: string | null
  labelledBy: string
}

/** Places of a cause: page, line, markup and file. Places of a fixed cause have no page to open. */
export const FindingPlaces = ({ exportId, finding, page, refused, labelledBy }: PlacesProps) => {
  const { places, total, sentence, target, state, seenBy } = finding
  const [isWhole, setWhole] = useState(places.length <= firstPlaces + 1)
  const list = useRef<HTMLOListElement>(null)
  /** Moves the focus to the first new place, because the button disappears. */
  const showAll = () => {
    flushSync(() => setWhole(true))
    const next = list.current?.children[firstPlaces]
    if (next instanceof HTMLElement) next.focus()
  }
  const shown = isWhole ? places : places.slice(0, firstPlaces)
  return (
    <div className="mt-2 ms-4 sm:ms-12">
      {target !== null && !sentence.includes(target) && (
        <p className="mb-2 line-clamp-3 text-xs wrap-anywhere text-muted" title={revealHiddenCharacters(target)}>
          About <bdi className="font-mono text-text">{revealHiddenCharacters(target)}</bdi>
        </p>
      )}
      <ol ref={list} aria-labelledby={labelledBy} className="divide-y divide-line rounded-md border border-line">
        {shown.map((place, at) => (
          <li key={at} tabIndex={-1} className="grid gap-1 px-3 py-2 text-sm">
            <Place {...{ exportId, place, refused }} isThere={state !== 'gone'} hasFile={seenBy !== 'report'} />
          </li>
        ))}
      </ol>
      {!isWhole && (
        <Button className="mt-2" aria-describedby={labelledBy} onClick={showAll}>
          Show all {formatCount(places.length)}
        </Button>
      )}
      {isWhole && total > places.length && (
        <p className="mt-1.5 text-xs text-muted">
          {page === ''
            ? `The first ${formatCount(places.length)} of ${formatCount(total)} places. The CSV and JSON downloads have more.`
            : 'This finding has more places on other pages.'}
        </p>
      )}
    </div>
  )
}

type PlaceProps = {
  exportId: string
  place: Finding['places'][number]
  isThere: boolean
  /** A service’s own report names source files. */
  hasFile: boolean
  refused: string | null
}

const Place = ({ exportId, place: { page, path, line, excerpt }, isThere, hasFile, refused }: PlaceProps) => (
  <>
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
      <bdi
        className="line-clamp-3 min-w-0 font-mono text-xs font-medium wrap-anywhere"
        title={revealHiddenCharacters(page ?? path)}
      >
        {revealHiddenCharacters(page ?? path)}
      </bdi>
      {line !== null && <span className="text-xs text-muted">line {formatCount(line)}</span>}
      {isThere && (
        <span className="ms-auto flex flex-wrap gap-x-4 text-xs whitespace-nowrap">
          {page !== null && (
            <>
              <Link to="/exports/$exportId/preview" params={{ exportId }} search={{ path: page }} className={linkClass}>
                Preview<span className="sr-only"> of {revealHiddenCharacters(page)}</span>
              </Link>
              <Link to="/exports/$exportId/findings" params={{ exportId }} search={{ page }} className={linkClass}>
                This page’s findings<span className="sr-only">: {revealHiddenCharacters(page)}</span>
              </Link>
            </>
          )}
          {hasFile && path !== '' && refused === null && (
            <a href={printFilePath(exportId, path)} download className={linkClass}>
              File<span className="sr-only"> {revealHiddenCharacters(path)}</span>
            </a>
          )}
          {hasFile && path !== '' && refused !== null && (
            <Button variant="quiet" refused={refused} className="h-6! px-1! text-xs!">
              File<span className="sr-only"> {revealHiddenCharacters(path)}</span>
            </Button>
          )}
        </span>
      )}
    </p>
    {excerpt !== null && (
      <code
        dir="ltr"
        className="block rounded-sm bg-sunken px-2 py-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {revealHiddenCharacters(excerpt)}
      </code>
    )}
  </>
)
