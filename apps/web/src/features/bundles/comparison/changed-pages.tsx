import type { ChangedPage } from '@docket/api-types/comparisons'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { AddedRemoved } from '#ui/marks/added-removed.tsx'
import { formatParts, kindLabels } from './change-labels.ts'

type PagesProps = { exportId: string; against: string; pages: readonly ChangedPage[] }

export const ChangedPages = ({ exportId, against, pages }: PagesProps) => (
  <ul className="panel divide-y divide-line">
    {pages.map((page) => (
      <li key={`${page.kind} ${page.address}`} className="px-4 py-2 text-sm">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
          <KindMark kind={page.kind} />
          <Link
            to="/exports/$exportId/changes/page"
            params={{ exportId }}
            search={{ address: page.address, ...(against && { against }) }}
            className="line-clamp-2 min-h-6 min-w-0 flex-1 basis-52 font-medium wrap-anywhere hover:underline"
          >
            <bdi>{revealHiddenCharacters(page.title || page.address)}</bdi>
          </Link>
          <span className="flex flex-wrap items-baseline gap-x-3 text-xs text-muted">
            {formatParts(page.parts)}
            {page.words && <WordCounts words={page.words} />}
          </span>
        </div>
        <div className="sm:ms-24">
          <PageAddress page={page} />
        </div>
      </li>
    ))}
  </ul>
)

export const KindMark = ({ kind }: { kind: ChangedPage['kind'] }) => (
  <span className={`w-20 shrink-0 font-medium ${kindLabels[kind].look}`}>
    <span aria-hidden="true" className="inline-block w-4 font-mono">
      {kindLabels[kind].sign}
    </span>
    {kindLabels[kind].word}
  </span>
)

export const WordCounts = ({ words }: { words: NonNullable<ChangedPage['words']> }) =>
  words.added + words.removed > 0 && <AddedRemoved added={words.added} removed={words.removed} what="words" />

export const PageAddress = ({ page: { kind, address, from, redirect } }: { page: ChangedPage }) => (
  <div className="flex flex-wrap gap-x-3 text-xs text-muted">
    <span className="max-w-full min-w-0">
      {from !== null && (
        <>
          <span className="sr-only">From </span>
          <PageAddressText text={from} /> <span aria-hidden="true">→</span>
          <span className="sr-only"> to </span>
        </>
      )}
      <PageAddressText text={address} />
    </span>
    {redirect !== null &&
      (redirect.exists ? (
        <span>{kind === 'moved' ? 'The old address redirects' : 'Redirects'}</span>
      ) : (
        <span className="max-w-full min-w-0 text-attention">
          No redirect
          {redirect.proposal !== null && kind === 'removed' && (
            <>
              , proposed: <PageAddressText text={redirect.proposal} />
            </>
          )}
        </span>
      ))}
  </div>
)

const PageAddressText = ({ text }: { text: string }) => (
  <bdi className="inline-block max-w-full truncate align-bottom font-mono" title={revealHiddenCharacters(text)}>
    {revealHiddenCharacters(text)}
  </bdi>
)
