import { createContext, Script } from 'node:vm'
import { readAsset, readSearchTerms } from '#writer/extras/extras.ts'

/** Page found by the search of an exported site. */
export type FoundPage = { file: string; title: string; trail: string; sections: [string, string, string][] }

/** Entry of the list of languages and versions. */
export type ListedScope = { lang: string; version: string | null; digest: string }

type Engine = {
  start: () => Promise<{ all: string; scopes: ListedScope[] }>
  openScope: (
    number: number,
    entry: ListedScope,
  ) => {
    search: (text: string) => Promise<{ hits: { page: number }[]; terms: Set<string> }>
    readPage: (page: number) => Promise<FoundPage>
  }
  splitTerms: (text: string) => string[]
  splitMarked: (text: string, terms: ReadonlySet<string>) => string[]
}

/** Runs the search of an exported site as a browser does. `read` returns a file of the site; `loaded` lists its calls. */
export const openSearch = async (read: (file: string) => string | undefined | Promise<string | undefined>) => {
  const loaded: { file: string; bytes: number }[] = []
  const context: Record<string, unknown> = { console }
  const append = async (script: { src: string; onload: () => void; onerror: () => void }) => {
    const file = script.src.replace(/\?.*$/, '')
    const text = await read(file)
    if (text === undefined) return script.onerror()
    loaded.push({ file, bytes: Buffer.byteLength(text) })
    try {
      new Script(text).runInContext(isolated)
    } catch {
      // A browser reports the error and continues.
    }
    return script.onload()
  }
  const make = (_: string, properties: object) => ({ ...properties, remove: () => undefined })
  const docket: { root: string; make: typeof make; search?: Engine } = { root: '', make }
  Object.assign(context, { docket, window: context, document: { head: { append } } })
  const isolated = createContext(context)
  for (const script of [await readSearchTerms(), await readAsset('search-index.js')])
    new Script(script).runInContext(isolated)
  const search = docket.search!
  const find = async (text: string, number = 0, pages = 10) => {
    const { scopes } = await search.start()
    const scope = search.openScope(number, scopes[number]!)
    const { hits, terms } = await scope.search(text)
    const found = await Promise.all(hits.slice(0, pages).map(({ page }) => scope.readPage(page)))
    return { files: found.map(({ file }) => file), found, count: hits.length, terms }
  }
  return { ...search, find, loaded }
}
