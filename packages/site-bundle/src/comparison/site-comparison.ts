/** Change of a page. `moved`: it has another address with the same or nearly the same text. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'moved'

/** Part of a page that differs. `files`: what it shows. */
export type PagePart = 'text' | 'headings' | 'links' | 'title' | 'files'

export type PageChange = {
  kind: ChangeKind
  /** Address in the later site; of a removed page, in the earlier one. */
  address: string
  title: string
  from: string | null
  /** Words of the main text. Null for added and removed pages, and after the limit of pages to read. */
  words: { added: number; removed: number } | null
  parts: PagePart[]
  /** Of a removed or moved page: whether the later site redirects its old address, and where it might lead. */
  redirect: { exists: boolean; proposal: string | null } | null
}

export type SharedChange = { part: 'navigation' | 'header' | 'footer' | 'theme'; sentence: string }

/** Two sites, page by page. Stored as gzipped JSON. */
export type SiteComparison = {
  version: 1
  counts: Record<ChangeKind, number>
  shared: SharedChange[]
  files: { added: number; removed: number; changed: number }
  /** Pages in both sites of which only the address is known, because a check did not finish. */
  unread: number
  pages: PageChange[]
}
