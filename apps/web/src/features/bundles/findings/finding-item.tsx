import type { Finding } from '@docket/api-types/artifacts'
import { ChevronRight } from 'lucide-react'
import { useId, useState, useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatPlural, formatCount, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateMark, toneText } from '#ui/marks/state-mark.tsx'
import { formatRule, levelLabels, seenByLabels, stateLabels } from './finding-labels.ts'
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
const FindingPlaces = ({ exportId, finding, page, refused, labelledBy }: PlacesProps) => {
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

const marks = {
  new: 'bg-attention-soft text-attention',
  same: 'px-0! font-normal!',
  gone: 'bg-done-soft text-done',
}

const StateBadge = ({ state }: { state: NonNullable<Finding['state']> }) => (
  <span className={`rounded-full px-2 font-medium ${marks[state]}`}>{stateLabels[state]}</span>
)

export type Refusals = { refused: string | null; fileRefused: string | null }

type ItemProps = Refusals & {
  exportId: string
  finding: Finding
  /** The page that the filters choose; `''` for all. */
  page: string
  isOpenAtFirst: boolean
  isBusy: boolean
  onAccept: () => void
  onTakeBack: () => void
}

export const FindingItem = (props: ItemProps) => {
  const { exportId, finding, page, isBusy, refused, fileRefused, onAccept, onTakeBack } = props
  const id = useId()
  const [isOpen, setOpen] = useState(props.isOpenAtFirst)
  const { level, accepted, state } = finding
  const { one, tone } = levelLabels[level]
  const seenBy = seenByLabels[finding.seenBy]
  const isGone = state === 'gone'
  return (
    <article aria-labelledby={id} className="px-2 py-2 sm:px-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-60">
          <h3>
            <button
              id={id}
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="flex min-h-6 w-full items-start gap-2 py-0.5 text-start"
            >
              <ChevronRight
                className={`mt-0.5 size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
                aria-hidden="true"
              />
              <StateMark tone={isGone ? 'done' : tone} still className="mt-0.5 size-4" />
              <span className="sr-only">{one}: </span>
              <bdi
                className={`min-w-0 font-medium wrap-anywhere ${isOpen ? '' : 'line-clamp-3'} ${accepted || isGone ? 'text-muted' : ''}`}
              >
                {revealHiddenCharacters(finding.sentence)}
              </bdi>
            </button>
          </h3>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 ps-12 text-xs text-muted">
            <span className={toneText[isGone ? 'idle' : tone]}>{revealHiddenCharacters(formatRule(finding.rule))}</span>
            <span>{formatPlural(finding.total, 'place')}</span>
            {state !== null && <StateBadge state={state} />}
            {seenBy !== null && <span>{seenBy}</span>}
          </p>
        </div>
        {!isGone && (
          <Button
            busy={isBusy}
            refused={refused}
            aria-describedby={id}
            onClick={accepted ? onTakeBack : onAccept}
            className={`max-sm:ms-12 ${isOpen ? '' : 'max-sm:hidden'}`}
          >
            {accepted ? 'Take back' : 'Accept…'}
          </Button>
        )}
      </div>
      {accepted && (
        <p className="mt-1 ps-12 text-sm wrap-anywhere">
          <span className="text-muted">
            Accepted by <bdi>{revealHiddenCharacters(accepted.by)}</bdi>, <Ago at={accepted.at} />:
          </span>{' '}
          <bdi>{revealHiddenCharacters(accepted.reason)}</bdi>
        </p>
      )}
      {isOpen && <FindingPlaces {...{ exportId, finding, page }} refused={fileRefused} labelledBy={id} />}
    </article>
  )
}
