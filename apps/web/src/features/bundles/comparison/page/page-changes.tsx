import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useId, type ComponentType } from 'react'
import { formatCompared, formatParts } from '#features/bundles/comparison/change-labels.ts'
import { KindMark, PageAddress, WordCounts } from '#features/bundles/comparison/changed-pages.tsx'
import { comparedQuery, pageComparisonQuery } from '#features/bundles/comparison/comparisons.queries.ts'
import { pickTexts } from '#lib/address/query-string.ts'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { DiffLayoutChoice } from '#ui/layout/diff-layout-choice.tsx'
import { ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { PreviewPair } from './preview-pair.tsx'
import { WordChanges } from './word-changes.tsx'

type PageChangesProps = { exportId: string; Preview: ComponentType<{ exportId: string; path: string }> }

export const PageChanges = ({ exportId, Preview }: PageChangesProps) => {
  const values = useLocation({ select: ({ search }) => search })
  const { address, against, view } = pickTexts({ ...values }, ['address', 'against', 'view'])
  const query = useQuery(pageComparisonQuery(exportId, address, against))
  const { data } = query
  const pair = useQuery(comparedQuery(exportId, against))
  const compared = pair.data
  const page = data?.page
  const isPreview = view === 'previews'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <nav aria-label="Back to changes" className="text-sm">
        <Link
          to="/exports/$exportId/changes"
          params={{ exportId }}
          search={against ? { against } : {}}
          className="inline-flex h-6 items-center text-muted hover:text-text"
        >
          ← All changes
        </Link>
      </nav>
      <ReadState query={query} waiting={<Skeleton className="h-96 w-full" />} />
      {page && (
        <header className="grid gap-1 text-sm">
          <h2 className="text-lg font-semibold wrap-anywhere">
            <bdi className="line-clamp-3">{revealHiddenCharacters(page.title || page.address)}</bdi>
          </h2>
          <p className="flex flex-wrap items-baseline gap-x-4">
            <KindMark kind={page.kind} />
            <span className="text-muted">{formatParts(page.parts)}</span>
            {page.words && <WordCounts words={page.words} />}
          </p>
          <PageAddress page={page} />
          {compared && (
            <p className="text-xs text-muted">
              From <bdi>{revealHiddenCharacters(formatCompared(compared.earlier))}</bdi> to{' '}
              <bdi>{revealHiddenCharacters(formatCompared(compared.later))}</bdi>
            </p>
          )}
        </header>
      )}
      {page && (
        <PageChangeViews exportId={exportId} search={{ address, ...(against && { against }) }} isPreview={isPreview} />
      )}
      {data && !isPreview && <WordsView blocks={data.blocks} isCut={data.isCut} />}
      {page && !compared && isPreview && <ReadState query={pair} waiting={<Skeleton className="h-96 w-full" />} />}
      {page && compared && isPreview && (
        <PreviewPair
          before={
            page.kind === 'added' ? null : { exportId: compared.earlier.exportId, path: page.from ?? page.address }
          }
          after={page.kind === 'removed' ? null : { exportId: compared.later.exportId, path: page.address }}
          Preview={Preview}
        />
      )}
    </div>
  )
}

type ViewsProps = { exportId: string; search: { address: string; against?: string }; isPreview: boolean }

const PageChangeViews = ({ exportId, search, isPreview }: ViewsProps) => (
  <nav aria-label="View" className="flex gap-1.5">
    {[
      { name: 'Words', search, isShown: !isPreview },
      { name: 'Previews', search: { ...search, view: 'previews' }, isShown: isPreview },
    ].map((one) => (
      <Link
        key={one.name}
        to="/exports/$exportId/changes/page"
        params={{ exportId }}
        search={one.search}
        replace
        className={`inline-flex h-7 items-center rounded-full border px-2.5 text-sm font-medium ${
          one.isShown ? 'border-accent bg-accent-soft text-accent' : 'border-line bg-surface text-muted hover:bg-hover'
        }`}
      >
        {one.isShown && <span className="sr-only">Shown: </span>}
        {one.name}
      </Link>
    ))}
  </nav>
)

const WordsView = ({ blocks, isCut }: { blocks: Parameters<typeof WordChanges>[0]['blocks']; isCut: boolean }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="text-base font-semibold">
          Words
        </h3>
        {blocks.length > 0 && <DiffLayoutChoice />}
      </div>
      <div className="grid gap-3">
        {isCut && (
          <Notice tone="attention">This page is too long to compare in full. This is the beginning of it.</Notice>
        )}
        <WordChanges blocks={blocks} />
      </div>
    </section>
  )
}
