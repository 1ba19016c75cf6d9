import type { BundlePage } from '#manifest.ts'
import type { PageFacts } from '#pages/page-facts.ts'
import { isNotFoundAddress, listReaderPages } from '#pages/reader-pages.ts'
import type { Findings, NewPlace } from './collect-findings.ts'

/** A page with what the notes need to know of it. */
export type NotedPage = Pick<BundlePage, 'address' | 'path' | 'sizeBytes' | 'title' | 'redirectsTo'> &
  Pick<PageFacts, 'withoutText' | 'hasSearch'> & {
    isLinked: boolean
  }

const largePageBytes = 1024 * 1024

export const notePages = (
  pages: readonly NotedPage[],
  { findings, hasSearchFile }: { findings: Findings; hasSearchFile: boolean },
): void => {
  if (pages.length === 0) return findings.add('no-page', null, { page: null, path: '' })
  const shown = listReaderPages(pages)
  const titles = Map.groupBy(shown, ({ title }) => title)
  for (const page of shown) {
    const place: NewPlace = { page: page.address, path: page.path }
    if (page.title === '') findings.add('no-title', null, place)
    else if ((titles.get(page.title)?.length ?? 0) > 1) findings.add('same-title', page.title, place)
    for (const tag of page.withoutText) findings.add('no-alternative-text', null, { ...place, excerpt: () => tag })
    if (page.sizeBytes > largePageBytes) findings.add('large-page', null, place)
    if (!page.isLinked && page.address !== '/') findings.add('orphan-page', null, place)
  }
  const { address, path } = pages.find((page) => page.address === '/') ?? shown[0] ?? pages[0]!
  const first = { page: address, path }
  if (!hasSearchFile && !pages.some(({ hasSearch }) => hasSearch)) findings.add('no-search', null, first)
  if (!pages.some((page) => isNotFoundAddress(page.address))) findings.add('no-not-found-page', null, first)
}
