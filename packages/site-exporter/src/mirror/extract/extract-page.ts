import type { Element, ElementContent, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { toString } from 'hast-util-to-string'
import { parse } from 'parse5'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { cleanContent } from './clean.ts'
import {
  findElement,
  isElement,
  readAttribute,
  readText,
  readTitle,
  readClasses,
  listChildElements,
  findElements,
} from './elements.ts'
import {
  resolveWebAddress,
  listLinks,
  readPageFacts,
  type PageFacts,
  countText,
  hasProgram,
  thinLimit,
} from './page-facts.ts'
import { readSidebar, type SideNode } from './sidebar.ts'

export type ExtractedPage = PageFacts & {
  /** First heading, or null. */
  title: string | null
  /** Content as HTML. `docket-mirror:<index>` stands for an address in `references`. */
  html: string
  references: { url: string; kind: 'link' | 'media' }[]
  links: string[]
  sidebar: SideNode[]
  isEmpty: boolean
  isThin: boolean
}

const toHtml = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: false } })
  .freeze()

/** Extracts the content of an HTML page. Throws a RangeError on deep nesting. */
export const extractPage = (html: string, url: string): ExtractedPage => {
  // Without scripting, the parser reads the content of `<noscript>`.
  const page = fromParse5(parse(html, { scriptingEnabled: false })) as Root
  const facts = readPageFacts(page, url)
  const hasScripts = hasProgram(page)
  const content = findContent(page)
  const references: ExtractedPage['references'] = []
  const numbers = new Map<string, number>()
  const refer = (address: string, kind: 'link' | 'media') => {
    if (kind === 'link' && address.startsWith('#')) return address
    if (kind === 'link' && /^(mailto|tel):/i.test(address)) return address
    const found = kind === 'media' && /^data:image\//i.test(address) ? address : resolveWebAddress(address, facts.base)
    if (found === null) return null
    if (kind === 'link' && found.includes('#') && removeFragment(found) === removeFragment(url))
      return found.slice(found.indexOf('#'))
    const key = `${kind} ${found}`
    const number = numbers.get(key) ?? references.push({ url: found, kind }) - 1
    numbers.set(key, number)
    return `docket-mirror:${number}`
  }
  const links = listLinks(page, facts.base)
  const sidebar = readSidebar(page, content, facts.base)
  const whole: Root = { type: 'root', children: cleanContent(content, refer) }
  const heading = findTitleHeading(whole)
  const title = heading ? readTitle(heading) || null : findTitleAround(page)
  const tree: Root = {
    type: 'root',
    children: heading ? removeHeading(whole.children as ElementContent[], heading) : whole.children,
  }
  return {
    ...facts,
    description: repeatsDescription(facts.description, tree) ? null : facts.description,
    title,
    html: toHtml.stringify(tree),
    references,
    links,
    sidebar,
    isEmpty: toString(tree).trim() === '' && !findElement(tree, (node) => isElement(node, 'img', 'video')),
    isThin: hasScripts && countText(toString(whole)) < thinLimit,
  }
}

const removeFragment = (address: string) => address.replace(/#.*$/s, '')

const findTitleHeading = (content: Root): Element | undefined => {
  const isTitle = (node: Element) => isElement(node, 'h1') && readText(node) !== ''
  return findElement(content, isTitle) ?? findLeadingHeading(content)
}

const findLeadingHeading = (parent: Element | Root): Element | undefined => {
  const first = parent.children.find((child) => (child.type === 'text' ? child.value.trim() !== '' : isElement(child)))
  if (!isElement(first)) return undefined
  return isElement(first, 'h2', 'h3')
    ? first
    : isElement(first, 'div', 'section')
      ? findLeadingHeading(first)
      : undefined
}

/** Some tools put the title outside the content. A heading outside `main` is the site name. */
const findTitleAround = (page: Root): string | null => {
  const main = findElement(page, (node) => isElement(node, 'main') || readAttribute(node, 'role') === 'main')
  const heading = main && findElement(main, (node) => isElement(node, 'h1') && readText(node) !== '')
  return (heading && readTitle(heading)) || null
}

const removeHeading = (nodes: readonly ElementContent[], heading: Element): ElementContent[] =>
  nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return [node]
    if (node !== heading) return [{ ...node, children: removeHeading(node.children, heading) }]
    const id = node.properties['id']
    return id === undefined ? [] : [{ type: 'element', tagName: 'span', properties: { id }, children: [] }]
  })

const repeatsDescription = (description: string | null, tree: Root) => {
  const opening = description?.replace(/[\s.…]+$/u, '').slice(0, 80)
  return opening !== undefined && readText(tree).slice(0, 1_000).includes(opening)
}

const contentClass =
  / (vp-doc|theme-doc-markdown|md-content__inner|sl-markdown-content|td-content|mdx-content|markdown-section|devsite-article-body|bd-article|theme-default-content|nextra-content|markdown-body) /
const likelyName =
  /^(content|main|main-content|page-content|doc-content|docs-content|document|body|page|article|post|documentwrapper)$/i

const isAroundContent = (node: Element) =>
  isElement(node, 'nav', 'aside', 'header', 'footer', 'script', 'style', 'template', 'form', 'svg') ||
  /^(navigation|banner|contentinfo|complementary|search)$/.test(readAttribute(node, 'role'))

/** Finds the main content: by known classes, by role, else by most text. */
const findContent = (page: Root): Element | Root => {
  const weights = new WeakMap<Element | Root, number>()
  const weigh = (node: Element | Root): number => {
    const known = weights.get(node)
    if (known !== undefined) return known
    const weight = node.children.reduce((sum, child) => sum + weighChild(child as ElementContent), 0)
    weights.set(node, weight)
    return weight
  }
  const weighChild = (node: ElementContent): number => {
    if (node.type === 'text') return node.value.trim().length
    return isElement(node) && !isAroundContent(node) ? weigh(node) : 0
  }
  const heaviest = (nodes: readonly Element[]) =>
    nodes.reduce<Element | undefined>((best, node) => (best && weigh(best) >= weigh(node) ? best : node), undefined)

  const body = findElement(page, (node) => isElement(node, 'body')) ?? page
  const main = heaviest(
    findElements(body, (node) => isElement(node, 'main') || readAttribute(node, 'role') === 'main', false),
  )
  const around = main && weigh(main) > 0 ? main : body
  const enough = (node: Element | undefined, share: number) =>
    node !== undefined && weigh(node) > 0 && weigh(node) >= weigh(around) * share
  const byClass = heaviest(findElements(around, (node) => contentClass.test(readClasses(node)), false))
  if (enough(byClass, 0.4)) return byClass!
  const article = heaviest(findElements(around, (node) => isElement(node, 'article'), false))
  if (enough(article, 0.5)) return article!
  if (around === main) return main
  const likely = heaviest(
    findElements(body, (node) =>
      [readAttribute(node, 'id'), ...readClasses(node).trim().split(' ')].some((name) => likelyName.test(name)),
    ).filter((node) => enough(node, 0.7)),
  )
  // Descends to the innermost element with most of the text.
  let content: Element | Root = likely ?? body
  for (;;) {
    const inner = heaviest(listChildElements(content))
    if (!inner || !isElement(inner, 'div', 'section', 'center') || weigh(inner) < weigh(content) * 0.9) return content
    content = inner
  }
}
