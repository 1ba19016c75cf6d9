import type { Colors } from '#markdown/code/highlight.ts'
import { countTimeouts } from '@docket/sources/within-time'
import type { SourcePage } from '#site/source-page.ts'
import type { Words } from '#site/words.ts'
import { createPageWeights, type PageTerms } from '#writer/search/page-weights.ts'
import type { RenderedPage, RenderTools } from '#writer/render-page.ts'
import { listData, repeatCalls, traceCalls, type TracedCall } from './call-trace.ts'
import { NotData, toDataText, toDigest } from './data-text.ts'
import { cacheLimits, openEntryStore } from './entry-store.ts'
import { computeExporterDigest } from './exporter-digest.ts'

/** A page with its words, which the search takes from the cache. */
type ReadyPage = RenderedPage & { words: PageTerms }
type Entry = { calls: TracedCall[]; rendered: ReadyPage }

export type UsedEntries = { keys: string[]; rendered: number }

/** Renders pages, or takes them from the cache in `folder` if nothing that rendering depends on has changed. Always renders if `folder` is null. */
export const openPageCache = (folder: string | null) => {
  const weigh = createPageWeights()
  const renderNew = async (page: SourcePage, body: string, tools: RenderTools): Promise<ReadyPage> => {
    // Slow to load, and pages from the cache don't need it.
    const { renderPage } = await import('#writer/render-page.ts')
    const rendered = await renderPage(page, body, tools)
    return { ...rendered, words: weigh(rendered.title, rendered.sections) }
  }
  if (folder === null) return { render: renderNew, used: { keys: [], rendered: 0 }, close: () => {} }
  const store = openEntryStore(folder)
  const exporter = computeExporterDigest()
  const used: UsedEntries = { keys: [], rendered: 0 }

  const render = async (page: SourcePage, body: string, tools: RenderTools): Promise<ReadyPage> => {
    const key = findKey(exporter, page, body, tools)
    if (key === null) return renderNew(page, body, tools)
    const entry = store.read(key) as Entry | null
    // Most code of a changed page stays the same, and a grammar takes longer to load than the page to render.
    const colorsKey = toDigest(exporter, 'colors', page.path, page.file)
    if (entry !== null && (await repeatCalls(entry.calls, tools, page))) {
      used.keys.push(key, colorsKey)
      return entry.rendered
    }
    const colors: Colors = new Map((store.read(colorsKey) as Colors | null) ?? [])
    const known = [...colors.keys()].join()
    const traced = traceCalls({ ...tools, colors }, page)
    const timeouts = countTimeouts()
    const rendered = await renderNew(page, body, traced.tools)
    const calls = traced.calls()
    // A page with a timeout is not cached, because a faster machine may render it in full.
    if (calls !== null && countTimeouts() === timeouts) {
      store.write(key, { calls, rendered })
      if ([...colors.keys()].join() !== known) store.write(colorsKey, colors)
      used.keys.push(key, colorsKey)
      used.rendered += 1
    }
    return rendered
  }
  return {
    render,
    used,
    close: () => store.sweep(cacheLimits),
  }
}

/** Keeps plain data by the parts that it was made of. */
export const openDataCache = (folder: string) => {
  const store = openEntryStore(folder)
  const exporter = computeExporterDigest()
  const used: UsedEntries = { keys: [], rendered: 0 }
  return {
    used,
    read: async <T>(parts: readonly string[], make: () => Promise<T>): Promise<T> => {
      const key = toDigest(exporter, ...parts)
      used.keys.push(key)
      const known = store.read(key) as T | null
      if (known !== null) return known
      used.rendered += 1
      const made = await make()
      store.write(key, made)
      return made
    },
    close: () => store.sweep(cacheLimits),
  }
}

const wordsDigests = new WeakMap<Words, string>()
/** All pages share a few tables of words. */
const digestWording = (words: Words) => {
  const digest = wordsDigests.get(words) ?? toDigest(toDataText(words))
  wordsDigests.set(words, digest)
  return digest
}

/** Digest of the text and the data that rendering reads; null when data cannot be compared. */
const findKey = (exporter: string, page: SourcePage, body: string, tools: RenderTools): string | null => {
  const { operation, schema, colors: _, words, ...others } = tools
  try {
    // The digest of the document covers the operation, whose text may be megabytes.
    const { document, method, path } = operation ?? {}
    const called = [document?.file, document?.digest, method, path]
    const shown = [schema?.document.file, schema?.document.digest, schema?.name]
    return toDigest(exporter, body, digestWording(words), toDataText([page, listData(others), called, shown]))
  } catch (error) {
    if (error instanceof NotData) return null
    throw error
  }
}
