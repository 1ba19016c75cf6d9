import { isText, walkTree, type Document } from '@docket/site-bundle/pages/html'
import type { Resolver } from './resolve-address.ts'
import { escapeHtml } from './rewrite/html.ts'

export const outputFolder = '_docket'
const rootAddress = /\s(?:href|src)\s*=\s*["']?\/(?!\/)/i

/** Frameworks whose scripts draw the page anew from its address, and show “not found” where the address is not one of theirs. */
const routers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Docusaurus', /\bid=["']?__docusaurus\b/],
  ['VitePress', /__VP_HASH_MAP__|content=["']?VitePress\b/],
  ['VuePress', /content=["']?VuePress\b/],
  ['Rspress', /\bid=["']?__rspress_root\b/],
  ['Gatsby', /\bid=["']?___gatsby\b/],
  ['Next.js', /\/_next\/static\/|\bid=["']?__NEXT_DATA__\b/],
  ['Nuxt', /\bid=["']?__nuxt\b|window\.__NUXT__/],
  ['Remix', /__remixContext|__reactRouterContext/],
  ['SvelteKit', /__sveltekit_|data-sveltekit-/],
  ['TanStack Start', /\$_TSR\b|__TSR_/],
  ['Angular', /\bng-version=/],
]

/** Name of the framework that a page was built with, if it has a router of its own. */
const findRouter = (html: string): string | null => routers.find(([, mark]) => mark.test(html))?.[0] ?? null

/** Texts below this length are those of pages that scripts draw. */
const minChars = 40

const unseen = new Set(['head', 'script', 'style', 'template', 'noscript', 'svg'])

/** True when a page without its scripts shows no more than a frame. */
const isBlank = (document: Document): boolean => {
  let length = 0
  walkTree(document, (node) => {
    if (isText(node)) length += node.value.replaceAll(/\s+/g, '').length
    return length < minChars && !unseen.has(node.nodeName)
  })
  return length < minChars
}

/**
 * Where the site's own search works: `always`, `hosted` (it reads files with `fetch`), or `never` (a service of another host, or none).
 */
export type OwnSearch = 'always' | 'hosted' | 'never'

/** Indexes that pages load as scripts, which browsers allow for files on a disk: Sphinx, mdBook, Doxygen, rustdoc, Javadoc and Docket. */
const scripted =
  /(?:^|\/)(?:searchindex(?:-[\da-f]+)?\.js|search\/(?:all_0|searchdata)\.js|(?:member-)?search-index\.js|search\.index\/[^/]+\.js|_docket\/search\.js)$/
/** Pagefind, MkDocs, Docusaurus's local searches, VitePress, Hugo and Jekyll themes. */
const fetched =
  /(?:^|\/)(?:pagefind\/pagefind\.js|search\/search_index\.json|search-index[^/]*\.json|lunr-index[^/]*\.json|@localSearchIndex[^/]*\.js|search-data\.json|searchindex\.json|assets\/js\/search-data\.json)$/

export const findOwnSearch = (files: Iterable<string>): OwnSearch => {
  let found: OwnSearch = 'never'
  for (const file of files) {
    if (scripted.test(file)) return 'always'
    if (fetched.test(file)) found = 'hosted'
  }
  return found
}

type Start = { ownSearch: OwnSearch; scope: number | undefined; words: string | undefined; document: Document }

/** How the scripts and the search of a page start. */
export const describeStart = (resolver: Resolver, path: string, text: string, start: Start) => {
  const { ownSearch, scope, words, document } = start
  const name = findRouter(text)
  const isEmpty = name !== null && isBlank(document)
  const isGuarded = name !== null && !isEmpty
  const built = resolver.toBuiltPath(path)
  const up = resolver.toHref(resolver.toPlace(path), outputFolder).slice(0, -outputFolder.length)
  // The search of a site with addresses from the root of its host works only where it was built for.
  const isBound = isGuarded || (ownSearch === 'hosted' && rootAddress.test(text))
  const when = ownSearch === 'never' ? 'always' : isBound ? 'static' : 'file'
  const data = [
    isBound ? ` data-built="${escapeHtml(built)}"` : '',
    scope === undefined ? '' : ` data-search="${when}" data-scope="${scope}"`,
  ].join('')
  const load = (file: string, more = '') => `<script defer src="${up}${file}"${more}></script>`
  const spoken = words === undefined ? '' : load(words)
  return {
    isGuarded,
    isScripted: data !== '',
    router: name === null ? [] : [{ kind: 'router' as const, name, built, isEmpty }],
    scripts: data === '' ? '' : spoken + load(`${outputFolder}/portable.js`, ` data-root="${up || './'}"${data}`),
  }
}

/** True for a file that begins in a template language, such as the parts of a generator's theme. */
export const isTemplate = (content: Buffer): boolean =>
  /^\s*\{[{%]/.test(String(content.subarray(0, 4_000)).replaceAll(/<!--[\s\S]*?-->|\{#[\s\S]*?#\}/g, ''))
