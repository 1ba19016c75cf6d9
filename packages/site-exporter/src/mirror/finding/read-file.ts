import { gunzipSync } from 'node:zlib'
import { findCssReferences } from '@docket/site-bundle/check/css-references'
import { findHtmlReferences } from '@docket/site-bundle/check/html-references'
import { readManifest } from '@docket/site-bundle/check/lists'
import { findScriptReferences } from '@docket/site-bundle/check/script-references'
import { listElements } from '@docket/site-bundle/pages/html'
import { parseXml } from '@docket/site-bundle/pages/parse-page'
import { asData } from '#site/data.ts'
import { parseJson } from '#site/parse-data.ts'
import { resolveWebAddress } from './read-page.ts'

/** An address that a file names. `isOptional`: nothing is lost when the site has no such file. */
export type NamedFile = { url: string; isOptional: boolean }

type File = { url: string; type: string; text: string }

export const isManifest = (url: string): boolean => /\.webmanifest$|\/manifest\.json$/i.test(new URL(url).pathname)
const isScript = ({ type, url }: File) => /(?:java|ecma)script$/.test(type) || /\.m?js$/i.test(new URL(url).pathname)

/** Finds the files that a file needs. Runs nothing: names that a script computes stay unknown. `prefix` is the address of the site. */
export const readFile = (file: File, prefix: string): NamedFile[] => {
  const { url, type, text } = file
  const resolve = (addresses: readonly { address: string; isOptional?: boolean }[], base = url) =>
    addresses.flatMap(({ address, isOptional = false }): NamedFile[] => {
      const resolved = resolveWebAddress(address, base)
      return resolved === null ? [] : [{ url: resolved, isOptional }]
    })
  if (type === 'text/css') return resolve(findCssReferences(text))
  if (type === 'image/svg+xml') {
    const references = findHtmlReferences(listElements(parseXml(text)), () => true)
    return resolve(references.filter(({ use }) => use !== 'link'))
  }
  if (isManifest(url)) return resolve(readManifest(parseJson(text).value).filter(({ use }) => use === 'icon'))
  if (!isScript(file)) return []
  const references = findScriptReferences(text, { inModule: true, inPage: false, isSuspicious: () => true })
  return [
    ...resolve(references.filter(({ isImport }) => isImport)),
    ...resolve(
      references.filter(({ isImport, use }) => !isImport && use !== 'call'),
      prefix,
    ),
    ...[
      ...resolve(
        references.filter(({ use }) => use === 'call'),
        prefix,
      ),
      ...resolve(listChunks(text, new URL(url).pathname)),
      ...resolve([...text.matchAll(besideModule)].map(([, address = '']) => ({ address }))),
      ...findSearchFiles(text, url, prefix),
    ].map((one) => ({ ...one, isOptional: true })),
  ]
}

const besideModule = /new URL\(\s*["'`]([^"'`\n$]{1,300})["'`]\s*,\s*import\.meta\.url/g
const literal = /["']((?:[\w@.~()[\]-]{1,100}\/){1,8}[\w@.~()[\]-]{1,200}\.(?:m?js|css|json|wasm))["']/g
/** Names of chunks as webpack computes them: a folder, names by id or the id itself, and hashes by id. */
const chunkNames =
  /"([\w/.-]{1,100})"\+\(?(?:\(?\{([^{}]*)\}\[\w+\](?:\|\|\w+)?|\w+)\)?\+"([.-])"\+\(?\{([^{}]*)\}\[\w+\]\)?\+"((?:\.\w+)*\.(?:js|css))"/g
const entry = /["']?([\w-]+)["']?:"([\w.~-]+)"/g
const maxChunks = 20_000

/** Root-absolute paths of the files that a bundler split off: the names stand in a script, without the folder in which the site is. */
const listChunks = (text: string, path: string): { address: string }[] => {
  const names = [...text.matchAll(literal)].map(([, name = '']) => name)
  for (const [, folder = '', byId = '', separator = '', hashes = '', ending = ''] of text.matchAll(chunkNames)) {
    const named = new Map([...byId.matchAll(entry)].map(([, id = '', name = '']) => [id, name]))
    for (const [, id = '', hash = ''] of hashes.matchAll(entry))
      names.push(`${folder}${named.get(id) ?? id}${separator}${hash}${ending}`)
  }
  return [...new Set(names)].slice(0, maxChunks).flatMap((name) => {
    const at = path.lastIndexOf(`/${name.slice(0, name.indexOf('/'))}/`)
    // Only names in a folder that the script is in are surely files of this site.
    return at < 0 ? [] : [{ address: path.slice(0, at + 1) + name }]
  })
}

const pagefind = 'entry.json entry.js ui.js ui.css modular-ui.js modular-ui.css highlight.js worker.js'
const loaders: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bsearch\/(?:main|worker|search_index)\b|id="?__config\b/, ['search/search_index.json']],
  [/\bsearchtools\.js\b/, ['searchindex.js']],
  [/\bsearch-index\b/, ['search-index.json']],
]
const searchName =
  /["'`]((?:\.{0,2}\/)?(?:[\w.-]{1,60}\/){0,6}[\w-]{0,60}(?:search|lunr)[\w.-]{0,80}\.(?:json|m?js))\b/gi
const pagefindFolder = /["'`]([^"'`\s]{0,200}\/)?pagefind\//g
const maxNames = 50

/** Files that usual searches load, if `text` has one of their loaders. */
export const findSearchFiles = (text: string, url: string, prefix: string): NamedFile[] => {
  const found = new Set<string>()
  const add = (address: string, base: string) => {
    const resolved = resolveWebAddress(address, base)
    if (resolved !== null && found.size < maxNames) found.add(resolved)
  }
  if (/\bpagefind\b/i.test(text)) {
    const folders = [...text.matchAll(pagefindFolder)].map(([, folder = '']) => folder)
    for (const folder of new Set(['', ...folders.slice(0, 3)]))
      for (const name of ['pagefind.js', ...pagefind.split(' ').map((part) => `pagefind-${part}`)])
        add(`${folder}pagefind/${name}`, /^\.{1,2}\//.test(folder) ? url : prefix)
  }
  for (const [loader, names] of loaders) if (loader.test(text)) for (const name of names) add(name, prefix)
  for (const [, name = ''] of text.matchAll(searchName)) add(name, name.startsWith('.') ? url : prefix)
  return [...found].map((one) => ({ url: one, isOptional: true }))
}

/** A text of CBOR: its length, and a language with a hash. */
const packedName = /([a-w]|x[^])([a-z]{2,3}(?:-[a-z\d]{2,8})*_[\da-f]{6,40})/g

/** Files that an index of Pagefind names: `pagefind-entry.json` by language, and the packed lists of pages and words. */
export const readPagefind = (url: string, content: Buffer): NamedFile[] => {
  const list = (names: readonly string[]) =>
    [...new Set(names)].map((name) => ({ url: new URL(name, url).href, isOptional: true }))
  if (url.endsWith('/pagefind-entry.json')) {
    const { languages } = asData(parseJson(content.toString()).value)
    return list(
      Object.values(asData(languages)).flatMap((one: unknown) => {
        const { hash, wasm } = (one ?? {}) as { hash?: unknown; wasm?: unknown }
        return [`wasm.${typeof wasm === 'string' ? wasm : 'unknown'}.pagefind`, `pagefind.${String(hash)}.pf_meta`]
      }),
    )
  }
  if (!url.endsWith('.pf_meta')) return []
  try {
    const text = gunzipSync(content, { maxOutputLength: 64 * 1024 * 1024 }).toString('latin1')
    const names = [...text.matchAll(packedName)].map(([, length = '', name = '']) =>
      name.slice(0, length.length === 1 ? length.charCodeAt(0) - 0x60 : length.charCodeAt(1)),
    )
    // The list says of no name what it is for.
    return list(
      names.flatMap((name) => [`fragment/${name}.pf_fragment`, `index/${name}.pf_index`, `filter/${name}.pf_filter`]),
    )
  } catch {
    return []
  }
}
