import type { Element, ElementContent, Root } from 'hast'
import { classesOf, elementsIn, find, findAll, isElement, textAttribute } from './elements.ts'

/** Classes that documentation tools give to the content and to nothing else. */
const contentClass =
  / (vp-doc|theme-doc-markdown|md-content__inner|sl-markdown-content|td-content|mdx-content|markdown-section|devsite-article-body|bd-article|theme-default-content|nextra-content|markdown-body) /
const likelyName =
  /^(content|main|main-content|page-content|doc-content|docs-content|document|body|page|article|post|documentwrapper)$/i

const isAround = (node: Element) =>
  isElement(node, 'nav', 'aside', 'header', 'footer', 'script', 'style', 'template', 'form', 'svg') ||
  /^(navigation|banner|contentinfo|complementary|search)$/.test(textAttribute(node, 'role'))

/** The element that holds what the page is about: by what tools call it, by its role, else the one with most of the text. */
export const findContent = (page: Root): Element | Root => {
  const weights = new WeakMap<Element | Root, number>()
  const weightOf = (node: Element | Root): number => {
    const known = weights.get(node)
    if (known !== undefined) return known
    const weight = node.children.reduce((sum, child) => sum + weightIn(child as ElementContent), 0)
    weights.set(node, weight)
    return weight
  }
  const weightIn = (node: ElementContent): number => {
    if (node.type === 'text') return node.value.trim().length
    return isElement(node) && !isAround(node) ? weightOf(node) : 0
  }
  const heaviest = (nodes: readonly Element[]) =>
    nodes.reduce<Element | undefined>(
      (best, node) => (best && weightOf(best) >= weightOf(node) ? best : node),
      undefined,
    )

  const body = find(page, (node) => isElement(node, 'body')) ?? page
  const main = heaviest(
    findAll(body, (node) => isElement(node, 'main') || textAttribute(node, 'role') === 'main', false),
  )
  const around = main && weightOf(main) > 0 ? main : body
  const enough = (node: Element | undefined, share: number) =>
    node !== undefined && weightOf(node) > 0 && weightOf(node) >= weightOf(around) * share
  const named = heaviest(findAll(around, (node) => contentClass.test(classesOf(node)), false))
  if (enough(named, 0.4)) return named!
  const article = heaviest(findAll(around, (node) => isElement(node, 'article'), false))
  if (enough(article, 0.5)) return article!
  if (around === main) return main
  const likely = heaviest(
    findAll(body, (node) =>
      [textAttribute(node, 'id'), ...classesOf(node).trim().split(' ')].some((name) => likelyName.test(name)),
    ).filter((node) => enough(node, 0.7)),
  )
  // Of elements within elements the innermost that still holds the text.
  let content: Element | Root = likely ?? body
  for (;;) {
    const inner = heaviest(elementsIn(content))
    if (!inner || !isElement(inner, 'div', 'section', 'center') || weightOf(inner) < weightOf(content) * 0.9)
      return content
    content = inner
  }
}
