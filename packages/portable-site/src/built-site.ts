import type { Element } from '@docket/site-bundle/pages/html'
import type { SourceFolder } from '@docket/sources/source-folder'

/** A site as its generator wrote it, or as a crawler found it. Its bytes are unchanged. */
export type BuiltSite = {
  folder: SourceFolder
  /** Path that the site was built for, such as `/docs/`. Null to find it from the pages. */
  mount: string | null
  /** Public origins by which pages name their own site, such as `https://docs.example.com`. */
  origins: readonly string[]
  /**
   * Files of a crawled site by path and query from the root of its host, such as `/docs/q?page=2`. The first address of a file is the one
   * that its relative addresses count from; others redirect to it.
   */
  addresses?: ReadonlyMap<string, string>
}

/** Reads a file of another host, each address once. `problem` says why it can't; null when the host is not allowed. */
export type ReadRemote = (
  url: string,
  maxBytes: number,
) => Promise<{ content: Buffer; type: string } | { problem: string } | null>

export type PortableOrder = {
  /** Appears in the report. */
  domain: string
  version: string | null
  /** Output folder; emptied first. */
  target: string
  /** Pages to keep, as paths or addresses; null for all. */
  paths: readonly string[] | null
  readRemote?: ReadRemote
  search?: PortableSearch
  /** The result of an earlier export for the same parts, or that of `make`, as plain data. */
  cache?: <T>(parts: readonly string[], make: () => Promise<T>) => Promise<T>
  onSite?: (pages: number) => Promise<void>
  onBegin?: () => void
  onPage?: (count: number, total: number) => Promise<void>
}

/** Searchable text below a heading. `id` and `heading` are `''` above the first. */
export type SearchSection = { id: string; heading: string; text: string }

/** The search that a bundle gets where the site's own can't run. */
export type PortableSearch = {
  /** Writes the index as pages are added; `numbers` has the scope of each path. */
  createIndex: (
    scopes: { scopes: readonly { lang: string; version: null }[]; numbers: ReadonlyMap<string, number> },
    write: (file: string, content: string) => void,
  ) => {
    add: (page: {
      path: string
      file: string
      title: string
      trail: readonly string[]
      sections: readonly SearchSection[]
    }) => void
    close: () => void
  }
  /** Reads an element with the content of a page. */
  readSections: (element: Element) => readonly SearchSection[]
  /** Scripts and styles, by their path in the bundle. `search.js` takes `window.docket`. */
  /** Script with the words of the dialog in a language, and its path in the bundle. */
  formatWords?: (lang: string) => { file: string; script: string }
  readFiles: () => Promise<ReadonlyMap<string, string>>
}
