import { posix } from 'node:path'
import { isMap, isSeq, type Node } from 'yaml'
import { isIn, readText } from '#recipes/docs/pages.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import { isInside } from '#recipes/links/resolve.ts'
import { parseJson, readDocsJson, readRedirectSources } from './docs-json-entries.ts'
import type { SiteEntry } from './site-entry.ts'
import { readVitepress, vitepressFile } from './vitepress.ts'

/** A file that belongs to the navigation of the site at `root`. `inNavigation`: all of it, as a `$ref` of a `docs.json`. */
export type SiteFile = {
  file: string
  root: string
  kind: 'docs-json' | 'vitepress'
  inNavigation: boolean
  isRedirects: boolean
}

/** The configuration of the sites in a checkout: their files, the folders of their pages, and patterns of their redirects. */
export type Sites = { files: SiteFile[]; roots: string[]; redirects: { root: string; source: string }[] }

const maxReferences = 200

/** Finds the navigation files of all sites. Follows `$ref`, within the checkout. */
export const findSites = async ({ checkout }: Pick<RecipeWork, 'checkout'>, files: readonly string[]) => {
  const known = new Set(files)
  const sites: Sites = { files: [], roots: [], redirects: [] }
  const add = async (site: SiteFile): Promise<void> => {
    const isKnown = sites.files.some(({ file }) => file === site.file)
    if (isKnown || !known.has(site.file) || sites.files.length > maxReferences) return
    sites.files.push(site)
    const document = parseJson((await readText(checkout, site.file)) ?? '')
    const contents = document?.contents as Node | null | undefined
    if (!document || !contents) return
    const redirects = isMap(contents) ? (contents.get('redirects') as Node | undefined) : contents
    if (site.isRedirects || isMap(contents))
      for (const source of isSeq(redirects) ? readRedirectSources(redirects) : [])
        sites.redirects.push({ root: site.root, source })
    for (const { path, ...reference } of readDocsJson(document, site.inNavigation).references) {
      const file = posix.join(posix.dirname(site.file), path)
      if (isInside(file)) await add({ ...site, ...reference, file })
    }
  }
  for (const file of files.filter((one) => /(^|\/)(docs|mint)\.json$/.test(one)))
    await add({ file, root: toFolder(file), kind: 'docs-json', inNavigation: false, isRedirects: false })
  for (const file of files.filter((one) => vitepressFile.test(one))) {
    const base = file.slice(0, file.lastIndexOf('.vitepress/')).replace(/\/$/, '')
    const srcDir = readVitepress((await readText(checkout, file)) ?? '')?.srcDir ?? null
    const root = srcDir === null ? base : posix.join(base, srcDir).replace(/^\.$|\/$/, '')
    if (srcDir !== null && isInside(root)) sites.roots.unshift(root)
    sites.files.push({ file, root: base, kind: 'vitepress', inNavigation: true, isRedirects: false })
  }
  // Every file of a site knows the folder of its pages, wherever it is set.
  for (const site of sites.files) {
    const root = sites.roots.find((one) => isIn(site.root, one))
    if (site.kind === 'vitepress' && root !== undefined) site.root = root
  }
  return sites
}

/** Entries of a file, and the number of those that cannot be read. Null when it does not parse. */
export const readEntries = (site: SiteFile, text: string): { entries: SiteEntry[]; computed: number } | null => {
  if (site.kind === 'vitepress') return readVitepress(text)
  const document = parseJson(text)
  return document && { entries: readDocsJson(document, site.inNavigation).entries, computed: 0 }
}

/** True when a redirect of the site leads an absolute address on. */
export const isRedirected = ({ redirects }: Sites, root: string, address: string): boolean => {
  const parts = toParts(address)
  return redirects.some((redirect) => {
    const pattern = toParts(redirect.source)
    const takesRest = pattern.at(-1)?.endsWith('*') === true
    if (redirect.root !== root || (takesRest ? parts.length < pattern.length - 1 : parts.length !== pattern.length))
      return false
    return pattern.every((part, index) => /[:*]/.test(part) || part === parts[index])
  })
}

const toParts = (address: string) => address.replace(/^\/+|[?#].*$|\/+$/gs, '').split('/')
const toFolder = (file: string) => posix.dirname(file).replace(/^\.$/, '')
