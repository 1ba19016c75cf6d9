import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { readClasses, find, isElement, textAttribute, readText, withoutElements } from './elements.ts'

const calloutClass =
  / (admonition|theme-admonition|custom-block|alert|starlight-aside|callout|markdown-alert|hint|notice|admonitionblock|nextra-callout|note|tip|warning|caution|important)[ -]/
const titleClass =
  / (admonition-title|custom-block-title|callout-title|markdown-alert-title|starlight-aside__title|alert-heading|title)[ -]|admonitionHeading/

const kinds: readonly [string, RegExp][] = [
  ['danger', /danger|error|caution-high|destructive/],
  ['warning', /warning|caution|attention|important|deprecated/],
  ['tip', /tip|success|check|hint|best-practice|seealso/],
  ['info', /info|abstract|summary/],
  ['note', /./],
]

/** True for a note, tip or warning. */
export const isCallout = (node: Element): boolean =>
  isElement(node, 'div', 'aside', 'section', 'blockquote') &&
  (calloutClass.test(readClasses(node)) || textAttribute(node, 'role') === 'note') &&
  !/badge|toc|banner/.test(readClasses(node))

/** Converts a callout into the component of Markdown sources. `clean` cleans its content. */
export const callout = (node: Element, clean: (node: Element) => ElementContent[]): ElementContent => {
  const hints = `${readClasses(node)} ${textAttribute(node, 'ariaLabel')}`.toLowerCase()
  const [kind] = kinds.find(([, words]) => words.test(hints))!
  const heading = find(node, (child) => titleClass.test(readClasses(child)))
  const title = heading ? readText(heading) : ''
  const isShort = title !== '' && title.length <= 120
  return h(
    kind,
    isShort && title.toLowerCase() !== kind ? { title } : {},
    clean(isShort ? withoutElements(node, [heading!]) : node),
  )
}
