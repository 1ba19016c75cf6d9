import type { SourceSite } from '#readers/source-site.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { findLanguage } from '#writer/frame/language.ts'

/** Pages that are searched together: one language and version. */
export type SearchScope = { lang: string; version: string | null }

export type SearchScopes = { scopes: readonly SearchScope[]; numbers: ReadonlyMap<string, number> }

type Site = Pick<SourceSite, 'pages' | 'nav' | 'language' | 'languages'>

/** Maximum scopes, so that a source cannot make the export write any number of files. */
const maxScopes = 200

/** Divides a site into scopes by language and version, in the order of the navigation. */
export const findScopes = (site: Site): SearchScopes => {
  const versions = new Map([...readPathVersions(site), ...readNavVersions(site.nav)])
  const keys = new Map<string, number>()
  const scopes: SearchScope[] = []
  const numbers = new Map<string, number>()
  const placed = site.nav.flatMap(listPages).filter((path) => site.pages.has(path))
  for (const path of new Set([...placed, ...site.pages.keys()])) {
    const scope = { lang: findLanguage(site, path).lang, version: versions.get(path) ?? null }
    const key = JSON.stringify([scope.lang.toLowerCase(), scope.version])
    const number = keys.get(key) ?? scopes.push(scope) - 1
    keys.set(key, number)
    numbers.set(path, number)
  }
  if (scopes.length <= maxScopes) return { scopes, numbers }
  return { scopes: scopes.slice(0, 1), numbers: new Map([...numbers.keys()].map((path) => [path, 0])) }
}

const versionTitle =
  /^(?:version |release )?(?:v\d+(?:\.(?:\d+|x))*|\d+(?:\.(?:\d+|x))+|latest|next|current|stable|legacy|beta|canary|nightly)(?: ?\([^)]*\))?$/i

/** Versions from tabs, if all tabs of a level are named like versions. */
const readNavVersions = (level: readonly NavNode[]): [string, string][] => {
  const tabs = level.flatMap((node) => (node.kind === 'group' && node.isTab ? [node] : []))
  if (tabs.length > 1 && tabs.every(({ title }) => versionTitle.test(title)))
    return tabs.flatMap((tab) => listPages(tab).map((path): [string, string] => [path, tab.title]))
  return level.flatMap((node) => (node.kind === 'group' ? readNavVersions(node.children) : []))
}

const versionFolder = /^(?:(?:v|version-)?\d+(?:\.(?:\d+|x))+|v\d+|latest|next|current|stable|legacy|canary|nightly)$/i
/** Maximum folders above a version folder: language and part of the site. */
const maxAbove = 3

/** Versions from folders, if half of the pages of a version folder are also in another version folder or next to it. */
const readPathVersions = ({ pages }: Site): [string, string][] => {
  const places = [...pages.keys()].flatMap((path) => {
    const parts = path.split('/')
    const at = parts.slice(0, -1).findIndex((part) => versionFolder.test(part))
    if (at < 0 || at > maxAbove) return []
    const above = parts
      .slice(0, at)
      .map((part) => `${part}/`)
      .join('')
    return [{ path, above, version: parts[at]!, rest: parts.slice(at + 1).join('/') }]
  })
  const uses = new Map<string, number>()
  for (const { above, rest } of places) uses.set(above + rest, (uses.get(above + rest) ?? 0) + 1)
  const folders = new Map<string, { shared: number; paths: string[] }>()
  for (const { path, above, version, rest } of places) {
    const folder = folders.get(above + version) ?? { shared: 0, paths: [] }
    folders.set(above + version, folder)
    if (uses.get(above + rest)! > 1 || pages.has(above + rest)) folder.shared += 1
    folder.paths.push(path)
  }
  return places.flatMap(({ path, above, version }): [string, string][] => {
    const { shared, paths } = folders.get(above + version)!
    return shared * 2 >= paths.length ? [[path, version]] : []
  })
}
