import { posix } from 'node:path'
import { isMap, isSeq, type Node, isPair, isScalar, parseDocument, visit, type Document } from 'yaml'
import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Node as SyntaxNode, Parser, type Property } from 'acorn'
import { isInFolder, readText } from '#recipes/docs/pages.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import { isInside } from '#recipes/links/resolve.ts'

/** A file that belongs to the navigation of the site at `root`. `inNavigation`: all of it, as a `$ref` of a `docs.json`. */
export type SiteFile = {
  file: string
  root: string
  kind: 'docs-json' | 'vitepress'
  inNavigation: boolean
  isRedirects: boolean
}

export type Sites = { files: SiteFile[]; roots: string[]; redirects: { root: string; source: string }[] }

const maxReferences = 200

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
    const root = sites.roots.find((one) => isInFolder(site.root, one))
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

export type SiteEntry = {
  start: number
  end: number
  value: string
  prefix: string
  /** False where the site may generate the page, so that a missing file proves nothing. */
  isCertain: boolean
  write(value: string): string
}

const addresses = /^(href|url|destination|to)$/

/** Reference to another file of the configuration. `inNavigation`: its content belongs to the navigation. */
type JsonReference = { path: string; inNavigation: boolean; isRedirects: boolean }

/** Parses JSON as YAML, which keeps positions. Null when the text is not JSON, or reads as something else. */
export const parseJson = (text: string): Document.Parsed | null => {
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, logLevel: 'silent' })
  return document.errors.length > 0 ? null : document
}

/** Pages and addresses of a `docs.json` or a part of one, and its `$ref`s. Leaves out the sources of redirects. */
const readDocsJson = (document: Document.Parsed, inNavigation: boolean) => {
  const entries: SiteEntry[] = []
  const references: JsonReference[] = []
  visit(document, (key, node, path) => {
    if (!isScalar(node) || typeof node.value !== 'string' || key === 'key') return
    const keys = path.flatMap((part) => (isPair(part) && isScalar(part.key) ? [String(part.key.value)] : []))
    const isNavigation = inNavigation || keys[0] === 'navigation'
    if (keys.at(-1) === '$ref')
      references.push({ path: node.value, inNavigation: isNavigation, isRedirects: keys[0] === 'redirects' })
    if (keys.at(-1) === '$ref' || keys.at(-1) === 'source') return
    const isPage = isNavigation && (typeof key === 'number' || keys.at(-1) === 'root')
    const isAddress = addresses.test(keys.at(-1) ?? '') && node.value.startsWith('/')
    if (!isPage && !isAddress) return
    const [start, end] = node.range ?? [0, 0]
    // Tools make pages from OpenAPI documents, and only lists of pages name nothing but pages.
    const isGenerated = path.some((part) => isMap(part) && (part.has('openapi') || part.has('asyncapi')))
    const isCertain =
      !isGenerated && (isAddress || keys.at(-1) === 'root' || ['pages', undefined].includes(keys.at(-1)))
    entries.push({ start, end, value: node.value, prefix: '', isCertain, write: (value) => JSON.stringify(value) })
  })
  return { entries, references }
}

const readRedirectSources = (list: Node | null | undefined): string[] => {
  const items = (list?.toJSON() ?? []) as unknown
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const source = typeof item === 'object' && item !== null ? (item as { source?: unknown }).source : null
    return typeof source === 'string' ? source : []
  })
}

const typedScripts = Parser.extend(tsPlugin())

const vitepressFile = /(^|\/)\.vitepress\/(config\/)?[\w.-]+\.[cm]?[jt]s$/

/** Literals of a VitePress configuration: its links, the folder of its pages, and the number of links that are computed. */
type VitepressLiterals = { entries: SiteEntry[]; srcDir: string | null; computed: number }

/** Without running it. Links count only with an absolute path or below a `base`. Null when the file does not parse. */
const readVitepress = (text: string): VitepressLiterals | null => {
  const found: VitepressLiterals = { entries: [], srcDir: null, computed: 0 }
  const visit = (value: unknown, base: string): void => {
    if (Array.isArray(value)) for (const item of value as unknown[]) visit(item, base)
    else if (typeof value === 'object' && value !== null && 'type' in value) visitNode(value as SyntaxNode, base)
  }
  const visitNode = (node: SyntaxNode, outer: string): void => {
    const properties = node.type === 'ObjectExpression' ? listProperties(node) : new Map<string, SyntaxNode>()
    const base = readString(properties.get('base')) ?? outer
    found.srcDir ??= readString(properties.get('srcDir'))
    const link = properties.get('link')
    const path = readString(link)
    if (link && path === null) found.computed += 1
    if (link && path !== null && (path.startsWith('/') || base !== '')) {
      const quote = text[link.start] ?? "'"
      found.entries.push({
        start: link.start,
        end: link.end,
        value: path,
        prefix: path.startsWith('/') ? '' : base,
        isCertain: true,
        write: (fresh) => quote + fresh + quote,
      })
    }
    for (const child of Object.values(node)) visit(child, base)
  }
  try {
    visit(typedScripts.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }).body, '')
    return found
  } catch {
    return null
  }
}

const listProperties = (node: SyntaxNode): Map<string, SyntaxNode> => {
  const properties = (node as SyntaxNode & { properties: (Property | { type: 'SpreadElement' })[] }).properties
  return new Map(
    properties.flatMap((property): [string, SyntaxNode][] => {
      if (property.type !== 'Property' || property.computed) return []
      const { key } = property
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
      return name === null ? [] : [[name, property.value]]
    }),
  )
}

/** Text of a string without escapes, which could not be written back as it is. */
const readString = (node: SyntaxNode | undefined): string | null => {
  const { type, value, raw } = (node ?? {}) as { type?: string; value?: unknown; raw?: string }
  return type === 'Literal' && typeof value === 'string' && raw?.slice(1, -1) === value ? value : null
}
