import type { Element } from 'hast'
import { readClasses, find, isElement, textAttribute, readText } from './elements.ts'

const never = new Set(
  `script style template noscript nav button form select textarea dialog svg canvas object embed link meta title head footer aside
label datalist menu`.split(/\s+/),
)
const words =
  /^(headerlink|hash-link|header-anchor|heading-anchor|anchor-link|heading-link|sl-anchor-link|anchor|permalink|anchorjs-link|copy|copybtn|copy-button|clipboard-copy|clipboard-button|btn-copy|toc|table-of-contents|on-this-page|toc-wrapper|local-toc|contents-nav|breadcrumbs?|breadcrumb-nav|trail|pagination|pagination-nav|pager|prev-next|prev-next-footer|page-nav|nav-buttons|neighbours|skip|skip-link|skip-to-content|sidebar|edit-link|edit-page-link|edit-this-page|theme-edit-this-page|theme-doc-footer|last-updated|page-feedback|feedback|feedback--answer|sr-only|visually-hidden|theme-doc-breadcrumbs|theme-doc-toc-mobile|theme-doc-version-badge|md-content__button|md-source-file|viewcode-link|viewcode-back|reading-time|td-page-meta|related-pages|vp-doc-footer|vpdocfooter|screen-reader-text|print-only|no-print|search-form|edit-page|page-edit|td-page-meta__edit)$/i

/** True for navigation, buttons, edit links and hidden elements, which are no text of the page. */
export const isAroundText = (node: Element): boolean => {
  if (never.has(node.tagName)) return !isLazyFallback(node)
  if (/^(navigation|banner|contentinfo|search|dialog|tooltip|menu|button)$/.test(textAttribute(node, 'role')))
    return true
  if (textAttribute(node, 'ariaHidden') === 'true' && !find(node, (child) => isElement(child, 'img', 'p', 'pre')))
    return true
  if (node.properties['hidden'] === true || /display:\s*none/i.test(textAttribute(node, 'style'))) return true
  const names = readClasses(node).trim().split(' ')
  // Docusaurus names a heading after its permalink.
  const isHeading = /^h[1-6]$/.test(node.tagName)
  if (!names.some((name) => words.test(name) && !(isHeading && name === 'anchor'))) return false
  // Class names are ambiguous; long text counts as content.
  return readText(node).length < 2_000 && !find(node, (child) => isElement(child, 'h1', 'pre'))
}

/** A script inserts the other image, so this is the only one. */
const isLazyFallback = (node: Element) =>
  node.tagName === 'noscript' && find(node, (child) => isElement(child, 'img', 'picture', 'video')) !== undefined
