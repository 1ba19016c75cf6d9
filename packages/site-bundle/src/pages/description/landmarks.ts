import { LRUCache } from 'lru-cache'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { isElement, walkTree } from '#pages/html.ts'

const bits = {
  /** In a known generator, this element contains exactly the text of a page. */
  container: 1,
  main: 2,
  article: 4,
  /** In older generators and in themes without landmarks, this element contains the text. */
  looseContainer: 8,
  header: 16,
  footer: 32,
  navigation: 64,
  /** Not read as text: code, icons, buttons, breadcrumbs, links to the next page, dates of a build. */
  silent: 128,
  theme: 256,
} as const

const tagBits = new Map<string, number>([
  ['main', bits.main],
  ['article', bits.article],
  ['header', bits.header],
  ['footer', bits.footer],
  ['nav', bits.navigation],
  ['aside', bits.navigation],
  ['style', bits.theme | bits.silent],
  ['link', bits.theme | bits.silent],
  ['script', bits.theme | bits.silent],
  ...['template', 'noscript', 'select', 'textarea', 'iframe', 'meta', 'title', 'desc', 'button'].map(
    (name) => [name, bits.silent] as const,
  ),
])

const roleBits = new Map<string, number>([
  ['main', bits.main],
  ['banner', bits.header],
  ['contentinfo', bits.footer],
  ['navigation', bits.navigation],
  ['complementary', bits.navigation],
])

const containers = /^(?:theme-doc-markdown|md-content__inner|VPHome|bd-article|td-content)$/
const looseContainers = /^(?:markdown-body|markdown-section|main-content|page-inner|document|VPContent)$/
const sidebars = /^(?:sidebar|VPSidebar|md-sidebar|sphinxsidebar|wy-nav-side|book-summary)$/
/** What surrounds the text in VitePress, Docusaurus, Starlight, MkDocs, Sphinx, mdBook and our own exporter. */
const furniture =
  /^(?:breadcrumbs?|theme-doc-(?:breadcrumbs|footer|toc-mobile|toc-desktop|version-badge|version-banner)|pagination(?:-nav|-links)?|prev-next|next-prev|page-nav|nav-chapters|nav-wrapper|mobile-nav-chapters|md-footer__link|md-source-file|md-content__button|md-feedback|md-tags|headerlink|hash-link|sl-anchor-link|(?:theme-)?last-?updated|VPDocFooter|VPDocAside|VPLocalNav|edit-(?:page|link|page-link|this-page)|page-(?:edit|meta)|toc|table-of-contents|tocCollapsible.*|right-sidebar.*|linenos|linenodiv|line-numbers-wrapper|rst-footer-buttons|git-revision-date.*|trail)$/i

const maxClassLength = 1_000

const readClass = (value: string): number => {
  let found = 0
  for (const name of value.split(/\s+/)) {
    if (containers.test(name)) found |= bits.container
    if (looseContainers.test(name)) found |= bits.looseContainer
    if (sidebars.test(name)) found |= bits.navigation
    if (furniture.test(name)) found |= bits.silent
  }
  return found
}

/** Pages of a site have few different values of `class`. */
const classBits = new LRUCache<string, number>({ max: 10_000, memoMethod: readClass })

const readTraits = ({ tagName, attrs }: Tree.Element): number => {
  let traits = tagBits.get(tagName) ?? 0
  for (const { name, value } of attrs) {
    if (name === 'class') traits |= classBits.memo(value.slice(0, maxClassLength))
    else if (name === 'role') {
      traits |= roleBits.get(value) ?? 0
      if (value === 'tab' && tagName === 'button') traits &= ~bits.silent
    } else if (name === 'id') {
      if (value === 'content' || value === 'main-content') traits |= bits.looseContainer
    } else if (name === 'aria-hidden') {
      if (value === 'true') traits |= bits.silent
    } else if (name === 'aria-label') {
      if (/\b(?:breadcrumbs?|pagination)\b/i.test(value)) traits |= bits.silent
    } else if (name === 'rel') {
      if (value === 'prev' || value === 'next') traits |= bits.silent
    } else if (name === 'itemprop' && value === 'articleBody') traits |= bits.container
  }
  return traits
}

/** Places of the main content, best first. Of one that occurs twice, such as the posts of a blog, none is the page. */
const ranks = [
  { bit: bits.container, isAlone: true },
  { bit: bits.main, isAlone: false },
  { bit: bits.article, isAlone: true },
  { bit: bits.looseContainer, isAlone: false },
]

const anyRank = ranks.reduce((all, { bit }) => all | bit, 0)

export const findMain = (html: Tree.Element): { main: Tree.Element; isBody: boolean; theme: Tree.Element[] } => {
  const found = ranks.map(() => ({ first: null as Tree.Element | null, count: 0 }))
  const theme: Tree.Element[] = []
  let body = html
  walkTree(html, (node) => {
    if (!isElement(node)) return false
    if (node.tagName === 'body' && body === html) body = node
    const traits = readTraits(node)
    if (traits & bits.theme) theme.push(node)
    if (!(traits & anyRank)) return true
    for (const [rank, { bit }] of ranks.entries()) {
      if (!(traits & bit)) continue
      found[rank]!.first ??= node
      found[rank]!.count++
    }
    return true
  })
  for (const [rank, { isAlone }] of ranks.entries()) {
    const { first, count } = found[rank]!
    if (first && (count === 1 || !isAlone)) return { main: first, isBody: false, theme }
  }
  return { main: body, isBody: true, theme }
}

export type Landmark = 'navigation' | 'header' | 'footer'

/** Whether an element is read, and which shared part of the page it begins. */
export const readPlace = (element: Tree.Element): { isSilent: boolean; landmark: Landmark | null } => {
  const traits = readTraits(element)
  if (!(traits & ~bits.theme)) return plain
  return {
    isSilent: (traits & bits.silent) !== 0,
    landmark:
      traits & bits.header
        ? 'header'
        : traits & bits.footer
          ? 'footer'
          : traits & bits.navigation
            ? 'navigation'
            : null,
  }
}

const plain = { isSilent: false, landmark: null }
