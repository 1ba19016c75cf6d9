import type { Element, ElementContent, Root } from 'hast'
import { readClasses, elementsIn, find, findAll, isElement, textAttribute } from './elements.ts'

/** Classes that documentation tools use for the content only. */
const contentClass =
  / (vp-doc|theme-doc-markdown|md-content__inner|sl-markdown-content|td-content|mdx-content|markdown-section|devsite-article-body|bd-article|theme-default-content|nextra-content|markdown-body) /
const likelyName =
  /^(content|main|main-content|page-content|doc-content|docs-content|document|body|page|article|post|documentwrapper)$/i

const isAround = (node: Element) =>
  isElement(node, 'nav', 'aside', 'header', 'footer', 'script', 'style', 'template', 'form', 'svg') ||
  /^(navigation|banner|contentinfo|complementary|search)$/.test(textAttribute(node, 'role'))

/** Finds the main content: by known classes, by role, else by most text. */
export const findContent = (page: Root): Element | Root => {
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
    return isElement(node) && !isAround(node) ? weigh(node) : 0
  }
  const heaviest = (nodes: readonly Element[]) =>
    nodes.reduce<Element | undefined>((best, node) => (best && weigh(best) >= weigh(node) ? best : node), undefined)

  const body = find(page, (node) => isElement(node, 'body')) ?? page
  const main = heaviest(
    findAll(body, (node) => isElement(node, 'main') || textAttribute(node, 'role') === 'main', false),
  )
  const around = main && weigh(main) > 0 ? main : body
  const enough = (node: Element | undefined, share: number) =>
    node !== undefined && weigh(node) > 0 && weigh(node) >= weigh(around) * share
  const byClass = heaviest(findAll(around, (node) => contentClass.test(readClasses(node)), false))
  if (enough(byClass, 0.4)) return byClass!
  const article = heaviest(findAll(around, (node) => isElement(node, 'article'), false))
  if (enough(article, 0.5)) return article!
  if (around === main) return main
  const likely = heaviest(
    findAll(body, (node) =>
      [textAttribute(node, 'id'), ...readClasses(node).trim().split(' ')].some((name) => likelyName.test(name)),
    ).filter((node) => enough(node, 0.7)),
  )
  // Descends to the innermost element with most of the text.
  let content: Element | Root = likely ?? body
  for (;;) {
    const inner = heaviest(elementsIn(content))
    if (!inner || !isElement(inner, 'div', 'section', 'center') || weigh(inner) < weigh(content) * 0.9) return content
    content = inner
  }
}
