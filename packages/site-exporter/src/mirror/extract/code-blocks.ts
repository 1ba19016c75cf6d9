import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { readClasses, findElement, findElements, isElement, readAttribute, readText, readTitle } from './elements.ts'

const wrapperClass =
  /[ _-](highlight\w*|code-?block\w*|prism\w*|expressive-code|shiki|code|listing-?block|snippet|literal-block-wrapper|language-[\w+#.-]+)[ _-]/i
const gutter =
  /lineno|line-number|linenumber|[ -]gutter|[ -](ln|lnt) | copy|clipboard|twoslash-popup|sr-only|visually-hidden/i
const line = / (line|ec-line|token-line|code-line|view-line|react-code-line) /

const isGutter = (node: Element) => isElement(node, 'button', 'svg', 'style') || gutter.test(readClasses(node))

export const isCodeBlock = (node: Element): boolean => {
  if (isElement(node, 'pre')) return true
  if (
    !isElement(node, 'div', 'figure', 'table') ||
    !(isElement(node, 'figure') || wrapperClass.test(readClasses(node)))
  )
    return false
  const blocks = listBlocks(node)
  return blocks.length === 1 && readText(node).length - readText(blocks[0]!).length < 160
}

/** Converts a code block into text with language and title. `around` lists its ancestors, innermost last. */
export const convertCodeBlock = (node: Element, around: readonly Element[]): ElementContent => {
  const pre = isElement(node, 'pre') ? node : listBlocks(node)[0]!
  const code = findElement(pre, (child) => isElement(child, 'code'))
  const places = [
    code,
    pre,
    findElement(node, (child) => readLanguage(child) !== null),
    node,
    ...around.toReversed().slice(0, 3),
  ]
  const language =
    places.map((place) => place && readLanguage(place)).find(Boolean) ?? (isUsualPython(pre, places) ? 'python' : null)
  const title = node === pre ? null : findCodeTitle(node)
  const text = readCodeText(pre).replace(/^\n+|\s+$/g, '')
  return h('pre', [
    h(
      'code',
      { className: language ? [`language-${language}`] : [], dataMeta: title && `title="${title}"` },
      `${text}\n`,
    ),
  ])
}

const listBlocks = (node: Element) =>
  findElements(node, (child) => isElement(child, 'pre')).filter((pre) => !isNumbers(pre) && !isGutter(pre))

/** Some tools put line numbers into a block of their own. */
const isNumbers = (pre: Element) => /^[\d\s]+$/.test(readText(pre)) && !/language-|shiki/.test(readClasses(pre))

const plain = /^(none|text|txt|plain|plaintext|default|nohighlight|notranslate|undefined|auto)$/
const renamed: Readonly<Record<string, string>> = {
  python3: 'python',
  ipython3: 'python',
  ipython: 'python',
  pycon: 'python',
  shellsession: 'console',
}

const readLanguage = (node: Element): string | null => {
  const classes = readClasses(node)
  const name =
    / (?:language|lang)-([\w+#.-]+) /.exec(classes)?.[1] ??
    / highlight-(?:source-|text-)?([\w+#]+)[\w.-]* /.exec(classes)?.[1] ??
    ([readAttribute(node, 'dataLang'), readAttribute(node, 'dataLanguage'), readAttribute(node, 'language')].find(
      Boolean,
    ) ||
      null)
  const language = name?.toLowerCase() ?? ''
  return /^[\w+#.-]{1,30}$/.test(language) && !plain.test(language) ? (renamed[language] ?? language) : null
}

/** Sphinx treats code without a language as Python, and colours it only if it is. */
const isUsualPython = (pre: Element, places: readonly (Element | undefined)[]) =>
  places.some((place) => place && / highlight-default /.test(readClasses(place))) &&
  findElement(pre, (child) => / (k|kn|kc|nd) /.test(readClasses(child))) !== undefined

const findCodeTitle = (node: Element): string | null => {
  const element = findElement(
    node,
    (child) =>
      isElement(child, 'figcaption') ||
      (/title|file-?name|caption/i.test(readClasses(child)) && !isElement(child, 'pre', 'code')),
  )
  const words = element ? readTitle(element).replaceAll('"', '”') : ''
  return words !== '' && words.length <= 120 ? words : null
}

const readCodeText = (node: Element): string =>
  node.children
    .map((child, index) => {
      if (child.type === 'text') return child.value
      if (!isElement(child) || isGutter(child)) return ''
      if (isElement(child, 'br')) return '\n'
      const text = readCodeText(child)
      if (!line.test(readClasses(child)) && !isElement(child, 'div', 'li', 'tr')) return text
      const after = node.children[index + 1]
      return text.endsWith('\n') || (after?.type === 'text' && /^\r?\n/.test(after.value)) ? text : `${text}\n`
    })
    .join('')
