import type { ExtractedPage } from '#mirror/extract/extract-page.ts'
import { toShape, type Scope } from '#mirror/finding/scope.ts'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'
import { sumDigest, type Drafts } from '#mirror/staging/draft.ts'
import type { Crawled } from './crawled.ts'

const noContent = 'it has no content without scripts'

/** Linked copies of one page. A server that answers every address has no end. */
const maxCopies = 20

type Deps = { crawled: Crawled; scope: Scope; limits: MirrorLimits; drafts: Drafts }

/** Creates a function that stores a page and returns the problem to report, or null. */
export const pageKeeper = ({ crawled, scope, limits, drafts }: Deps) => {
  const shapes = new Map<string, number>()
  const copies = new Map<string, number>()
  const countIn = (counts: Map<string, number>, name: string) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }

  /** Reason to take a linked page for generated, or null. */
  const isMadeUp = (key: string, digest: string): string | null => {
    if (countIn(copies, digest) > maxCopies) return `more than ${maxCopies} addresses have this very page`
    const shape = toShape(key)
    if (shape === null || countIn(shapes, shape) <= limits.ofOneShape) return null
    return `more than ${limits.ofOneShape} addresses differ from it in numbers only`
  }

  const keepReferences = (references: ExtractedPage['references']) => {
    for (const { url, kind } of references) {
      const place = kind === 'link' ? scope.locate(url) : null
      if (place?.kind === 'file') crawled.media.add(place.url)
      const own = kind === 'media' ? scope.toOwnUrl(url) : null
      if (own !== null) crawled.media.add(own)
    }
  }

  return async (key: string, page: ExtractedPage, isListed: boolean): Promise<string | null> => {
    if (page.isEmpty && !isListed && page.title === null) return noContent
    if (Buffer.byteLength(page.html) > limits.contentBytes)
      return `its content has more than ${limits.contentBytes / 1024} kB`
    if (crawled.pages.size >= limits.pages) return `a site may have ${limits.pages} pages`
    const digest = sumDigest(`${page.title}\n${page.html}\n${JSON.stringify(page.references)}`)
    const reason = isListed ? null : isMadeUp(key, digest)
    if (reason !== null) return reason
    const canonical = page.canonical === null ? null : scope.toKey(page.canonical)
    const { title, documentTitle, siteName, description, icon, color, isEmpty, isThin } = page
    const facts = { title, documentTitle, siteName, description, icon, color, isEmpty, isThin }
    crawled.pages.set(key, { ...facts, key, digest, canonical: canonical === key ? null : canonical })
    crawled.navigation.add(page.sidebar)
    keepReferences(page.references)
    await drafts.keep(key, page)
    return isEmpty ? noContent : null
  }
}
