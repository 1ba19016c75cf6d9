import type { Comparison, PageChangeKind } from '@docket/api-types/comparisons'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Equal, GitCompareArrows, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { formatCount, formatPlural, formatInstant, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { EmptyState, ReadState, Loading } from '#ui/layout/page.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { usePartSearch } from '#ui/list/use-part-search.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { kindLabels, formatFileChanges, sharedLabels } from './change-labels.ts'
import { ChangedPages } from './changed-pages.tsx'
import { ComparedArtifacts } from './compared-artifacts.tsx'
import { parseComparisonSearch, changeKinds, type ComparisonSearch } from './comparison-search.ts'
import { changesQuery, storedExportsQuery, deadAddressesQuery } from './comparisons.queries.ts'
import { printRedirects } from './dead-addresses.ts'

/** Old addresses that lead nowhere, each with the redirect that Docket proposes. Renders nothing if there are none. */
const DeadAddresses = ({ exportId, against }: { exportId: string; against: string }) => {
  const id = useId()
  const { data } = useQuery(deadAddressesQuery(exportId, against))
  const [isOpen, setOpen] = useState(false)
  if (!data || data.addresses.length === 0) return null
  const { addresses, isCut } = data
  const proposed = addresses.filter(({ proposal }) => proposal !== null)
  return (
    <section aria-labelledby={id} className="panel overflow-clip">
      <div className="flex items-center gap-2 bg-attention-soft py-1.5 ps-2 pe-3 text-sm">
        <h3 id={id} className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-6 w-full items-center gap-2 text-start font-medium"
          >
            <ChevronRight className={`size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
            <StateMark tone="attention" />
            {formatPlural(addresses.length, 'old address', 'old addresses')}
            {isCut && ' or more'} without a redirect
          </button>
        </h3>
        {proposed.length > 0 && <CopyButton text={printRedirects(proposed)} label="Copy proposed redirects as JSON" />}
      </div>
      {isOpen && (
        <ul className="divide-y divide-line text-sm">
          {addresses.map(({ address, proposal }) => (
            <li key={address} className="flex flex-wrap gap-x-3 px-4 py-1.5 font-mono text-xs">
              <bdi className="line-clamp-3 min-w-0 wrap-anywhere" title={revealHiddenCharacters(address)}>
                {revealHiddenCharacters(address)}
              </bdi>
              {proposal === null ? (
                <span className="font-sans text-muted">No similar page</span>
              ) : (
                <span className="flex min-w-0 gap-x-3">
                  <span aria-hidden="true">→</span>
                  <span className="sr-only">proposed redirect to</span>
                  <bdi className="line-clamp-3 min-w-0 wrap-anywhere" title={revealHiddenCharacters(proposal)}>
                    {revealHiddenCharacters(proposal)}
                  </bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const SharedChanges = ({ comparison: { shared, files } }: { comparison: Comparison }) => {
  const id = useId()
  const fileChanges = formatFileChanges(files)
  if (shared.length === 0 && fileChanges === null) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2 text-base font-semibold">
        Across the site
      </h3>
      <dl className="panel divide-y divide-line text-sm">
        {shared.map(({ part, sentence }, at) => (
          <ChangeLine key={at} name={sharedLabels[part]} text={revealHiddenCharacters(sentence)} />
        ))}
        {fileChanges !== null && <ChangeLine name="Other files" text={fileChanges} />}
      </dl>
    </section>
  )
}

const ChangeLine = ({ name, text }: { name: string; text: string }) => (
  <div className="flex flex-wrap gap-x-4 px-4 py-2">
    <dt className="w-24 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 flex-1 basis-56 wrap-anywhere">
      <bdi>{text}</bdi>
    </dd>
  </div>
)

const maxOffered = 5

type NothingProps = { exportId: string; message: string; onAgainst: (against: string) => void }

const NothingToCompare = ({ exportId, message, onAgainst }: NothingProps) => {
  const { data = [] } = useQuery(storedExportsQuery(exportId))
  return (
    <div className="panel">
      <EmptyState
        icon={<GitCompareArrows />}
        title="Nothing to compare"
        action={
          data.length > 0 && (
            <ul aria-label="Compare with" className="flex flex-wrap justify-center gap-2">
              {data.slice(0, maxOffered).map((one) => (
                <li key={one.exportId}>
                  <Button onClick={() => onAgainst(one.exportId)}>
                    <span>
                      Compare with {formatInstant(one.startedAt)}
                      {one.version !== null && (
                        <>
                          {' '}
                          · <bdi>{revealHiddenCharacters(one.version)}</bdi>
                        </>
                      )}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      >
        {message}
      </EmptyState>
    </div>
  )
}

type KindsProps = {
  kind: PageChangeKind | ''
  counts: Comparison['counts']
  onKind: (kind: PageChangeKind | '') => void
}

const ChangeKinds = ({ kind: chosen, counts, onKind }: KindsProps) => {
  const kinds = changeKinds.filter((kind) => counts[kind] > 0 || kind === chosen)
  const options = {
    '': `All ${formatCount(counts.added + counts.removed + counts.changed + counts.moved)}`,
    ...Object.fromEntries(kinds.map((kind) => [kind, `${kindLabels[kind].word} ${formatCount(counts[kind])}`])),
  } as Record<KindsProps['kind'], string>
  return (
    <PressedButtons
      label="Kind of change"
      options={options}
      value={chosen}
      onChange={(kind) => onKind(kind === chosen ? '' : kind)}
    />
  )
}

const ReleaseNoteDialog = lazyDialog(async () => (await import('./release-note-dialog.tsx')).ReleaseNoteDialog)

export const ChangesView = ({ exportId }: { exportId: string }) => {
  const id = useId()
  const { search, change } = usePartSearch('/exports/$exportId/changes', exportId, parseComparisonSearch)
  const query = useInfiniteQuery(changesQuery(exportId, search))
  const { data, error, isPlaceholderData } = query
  const [isNoteOpen, setNoteOpen] = useState(false)
  const first = data?.pages[0]
  if (!first && error instanceof ApiError && error.code === 'not_found')
    return <NothingToCompare exportId={exportId} message={error.message} onAgainst={(against) => change({ against })} />
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id={id} className="sr-only">
        Changes
      </h2>
      <ReadState query={query} waiting={<LoadingChanges />} />
      {first && (
        <div
          aria-busy={isPlaceholderData}
          className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <div className="flex flex-wrap items-end justify-between gap-3">
            <ComparedArtifacts comparison={first} onAgainst={(against) => change({ against })} />
            <Button onClick={() => setNoteOpen(true)}>Write release note</Button>
          </div>
          {isPartialComparison(first) && (
            <Notice tone="attention" title="Not all pages are compared">
              The check of one of these exports did not finish, so {formatPlural(first.unread ?? 0, 'page')} could not
              be compared.
            </Notice>
          )}
          <SharedChanges comparison={first} />
          {first.counts.removed + first.counts.moved > 0 && (
            <DeadAddresses exportId={exportId} against={search.against} />
          )}
          {countPages(first) > 0 ? (
            <ChangedPageList {...{ exportId, search, query, first }} onSearch={change} />
          ) : (
            <NoChangedPages comparison={first} />
          )}
        </div>
      )}
      {isNoteOpen && (
        <ReleaseNoteDialog exportId={exportId} against={search.against} onClose={() => setNoteOpen(false)} />
      )}
    </section>
  )
}

const isPartialComparison = ({ unread }: Comparison) => (unread ?? 0) > 0

const countPages = ({ counts }: Comparison) => counts.added + counts.removed + counts.changed + counts.moved

type PagesProps = {
  exportId: string
  search: ComparisonSearch
  query: ReturnType<typeof useInfiniteQuery<Comparison, Error, { pages: Comparison[] }>>
  first: Comparison
  onSearch: (change: Partial<ComparisonSearch>) => void
}

const ChangedPageList = ({ exportId, search, query, first, onSearch }: PagesProps) => {
  const id = useId()
  const pages = query.data?.pages.flatMap((part) => part.pages) ?? []
  const left = first.total - pages.length
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2 text-base font-semibold">
        Pages
      </h3>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <FilterField label="Filter changed pages" value={search.q} onChange={(q) => onSearch({ q })} />
        <ChangeKinds kind={search.kind} counts={first.counts} onKind={(kind) => onSearch({ kind })} />
      </div>
      <p role="status" className="sr-only">
        {formatPlural(first.total, 'page')}
      </p>
      {pages.length > 0 ? (
        <ChangedPages exportId={exportId} against={search.against} pages={pages} />
      ) : (
        <div className="panel px-4 py-10 text-center text-sm text-muted">
          <p className="mb-3">No changed page matches these filters.</p>
          <Button onClick={() => onSearch({ kind: '', q: '' })}>Clear filters</Button>
        </div>
      )}
      <LoadMore query={query} left={left} />
    </section>
  )
}

const LoadingChanges = () => (
  <Loading
    label="Loading changes"
    className="grid gap-4"
    lines={['h-9 w-72 max-w-full', 'h-24 w-full', 'h-64 w-full']}
  />
)

const NoChangedPages = ({ comparison }: { comparison: Comparison }) => {
  const { later, shared, files } = comparison
  const isOther = shared.length > 0 || files.added + files.removed + files.changed > 0
  return (
    <EmptyState panel icon={<Equal />} title={isOther ? 'No individual page changed' : 'No page changed'}>
      {isPartialComparison(comparison)
        ? 'The pages that could be compared are the same.'
        : `Text, headings, links and titles of ${formatPlural(later.pages, 'page')} are the same.`}
    </EmptyState>
  )
}
