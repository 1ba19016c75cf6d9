import { listElements, readAttribute, readText, type Element, type Document } from '@docket/site-bundle/pages/html'

const frame = new Set(['nav', 'header', 'footer', 'aside'])

export type PageText = { title: string; content: Element | null }

const isPermalink = (element: Element) =>
  element.tagName === 'a' &&
  (readAttribute(element, 'href') ?? '').startsWith('#') &&
  readText(element).replaceAll(/[\s\u200b#¶§]/g, '').length === 0

/** Finds the content of a page, and removes the links of headings to themselves. Changes the tree. */
export const findPageText = (document: Document): PageText => {
  const elements = listElements(document)
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name)
  const articles = named('article')
  const [main] = named('main')
  const [body] = named('body')
  const role = elements.find((element) => readAttribute(element, 'role') === 'main')
  const content = (articles.length === 1 ? articles[0] : undefined) ?? main ?? role ?? articles[0] ?? body ?? null
  if (content === body && body !== undefined)
    body.childNodes = body.childNodes.filter((node) => !('tagName' in node && frame.has(node.tagName)))
  const headings = elements.filter(({ tagName }) => /^h[1-6]$/.test(tagName))
  for (const heading of headings) {
    heading.childNodes = heading.childNodes.filter((node) => !('tagName' in node && isPermalink(node)))
    const parent = heading.parentNode
    const id = parent !== null && 'attrs' in parent ? readAttribute(parent, 'id') : null
    // Sphinx names sections, and not their headings.
    if (id !== null && readAttribute(heading, 'id') === null) heading.attrs.push({ name: 'id', value: id })
  }
  const first = content === null ? undefined : listElements(content).find(({ tagName }) => tagName === 'h1')
  const [titleElement] = named('title')
  const title = first === undefined ? '' : listElements(first).map(readText).join(' ')
  return {
    title: (title.trim() || (titleElement === undefined ? '' : readText(titleElement))).replaceAll(/\s+/g, ' ').trim(),
    content,
  }
}
