import type { Crawled } from '#mirror/crawl/crawled.ts'
import type { Scope } from '#mirror/finding/scope.ts'
import type { Draft } from './draft.ts'
import { keepInlineImage, type MediaFiles } from './media-files.ts'

type Deps = {
  staging: string
  scope: Scope
  crawled: Pick<Crawled, 'files' | 'missing'>
  /** Resolves aliases of a page. */
  findPage: (key: string) => string | null
  names: ReadonlyMap<string, string>
  media: MediaFiles
}

/** Replaces reference markers by paths of pages and files, or by addresses of the site. */
export const resolveReferences = async (draft: Draft, deps: Deps): Promise<string> => {
  const addresses = await Promise.all(draft.references.map(({ url, kind }) => resolveAddress(url, kind, deps)))
  return draft.html.replaceAll(/ (href|src)="docket-mirror:(\d+)"/g, (_, name: string, number: string) => {
    const address = addresses[Number(number)]
    return address === undefined || address === '' ? '' : ` ${name}="${escaped(address)}"`
  })
}

const resolveAddress = async (url: string, kind: 'link' | 'media', deps: Deps): Promise<string> => {
  const { scope, crawled, names, media } = deps
  if (url.startsWith('data:')) {
    const file = await keepInlineImage(deps.staging, url)
    return file === null ? '' : `/${file}`
  }
  const own = scope.toOwnUrl(url)
  const fileAt = (address: string): string => {
    const found = media.get(address)
    // A missing file stays a broken link, which the report lists.
    return found === undefined ? address : found === 'missing' ? new URL(address).pathname : `/${found.file}`
  }
  if (kind === 'media') return own === null ? url : fileAt(own)
  const place = scope.locate(url)
  if (place === null || place.kind === 'outside') return place?.url ?? url
  if (place.kind === 'file') return fileAt(place.url)
  const fragment = place.fragment && `#${place.fragment}`
  const key = deps.findPage(place.key)
  if (key !== null) return `/${names.get(key)!.split('/').map(encodeURIComponent).join('/')}${fragment}`
  const file = crawled.files.get(place.key)
  if (file !== undefined) return fileAt(file)
  return crawled.missing.has(place.key)
    ? `/${place.key.split('/').map(encodeURIComponent).join('/')}${fragment}`
    : place.url + fragment
}

const escaped = (address: string) => address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
