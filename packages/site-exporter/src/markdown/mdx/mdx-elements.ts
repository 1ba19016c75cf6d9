import type { Element, ElementContent, Properties, Root, RootContent } from 'hast'
import type {} from 'remark-mdx'
import type { Note } from '#markdown/page-notes.ts'

type JsxAttribute = { type: string; name?: string; value?: string | null | { value: string } }
type MdxNode = {
  type: string
  name?: string | null
  value?: string
  attributes?: JsxAttribute[]
  children?: RootContent[]
}

const renamed: Readonly<Record<string, string>> = {
  classname: 'className',
  htmlfor: 'htmlFor',
  colspan: 'colSpan',
  rowspan: 'rowSpan',
}

/** Replaces MDX nodes by plain elements. Evaluates nothing: literals become text or attributes, the rest is left out and noted. */
export const mdxToElements = (tree: Root, note: Note): void => {
  tree.children = tree.children.flatMap((child) => convert(child, note)) as RootContent[]
}

const convert = (node: RootContent, note: Note): RootContent[] => {
  const { type, name, value, attributes, children } = node as MdxNode
  if (type === 'mdxjsEsm') {
    note('left-out', `${/^\s*export/.test(value ?? '') ? 'an export' : 'an import'}: ${firstLine(value)}`)
    return []
  }
  if (type === 'mdxFlowExpression' || type === 'mdxTextExpression')
    return expression(value ?? '', type === 'mdxFlowExpression', note)
  const content = children?.flatMap((child) => convert(child, note))
  if (type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement') {
    if (!name) return content ?? []
    return [
      {
        type: 'element',
        tagName: name,
        properties: readProperties(attributes ?? [], note),
        children: (content ?? []) as ElementContent[],
      } satisfies Element,
    ]
  }
  if (content && isOnlyBlocks(node as Element, children ?? [])) return content
  return [content ? ({ ...node, children: content } as RootContent) : node]
}

/** `<Step>text</Step>` on one line parses as a paragraph, which a list must not contain. MDX drops such paragraphs, too. */
const isOnlyBlocks = ({ tagName }: Element, children: readonly RootContent[]) => {
  const pieces = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const isBlock = ({ type, name }: MdxNode) =>
    type === 'mdxJsxTextElement' && /^[A-Z]/.test(name ?? '') && !/^(Icon|Tooltip|Badge)$/.test(name ?? '')
  return tagName === 'p' && pieces.length > 0 && pieces.every((piece) => isBlock(piece as MdxNode))
}

const expression = (source: string, isBlock: boolean, note: Note): RootContent[] => {
  const text = source.trim()
  if (text === '' || /^(\/\*[\s\S]*\*\/|\/\/.*)$/.test(text)) return []
  const literal = readLiteral(text)
  if (typeof literal === 'string' || typeof literal === 'number') return [{ type: 'text', value: String(literal) }]
  note('left-out', `an expression: {${firstLine(text)}}`)
  return [{ type: 'element', tagName: isBlock ? 'not-here' : 'not-here-inline', properties: {}, children: [] }]
}

const readProperties = (attributes: readonly JsxAttribute[], note: Note): Properties => {
  const properties: Properties = {}
  for (const { type, name, value } of attributes) {
    if (type !== 'mdxJsxAttribute' || !name) {
      note('left-out', 'a spread of attributes')
      continue
    }
    const key = renamed[name.toLowerCase()] ?? name.toLowerCase()
    if (value === null || value === undefined) properties[key] = true
    else if (typeof value === 'string') properties[key] = value
    else {
      const literal = readLiteral(value.value.trim())
      if (literal !== undefined) properties[key] = literal
    }
  }
  return properties
}

/** Parses quoted text, a number or a boolean. Undefined for anything that would have to run. */
export const readLiteral = (source: string): string | number | boolean | undefined => {
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(source)) return Number(source)
  if (source === 'true' || source === 'false') return source === 'true'
  const quoted = /^(["'`])((?:(?!\1)[^\\])*)\1$/s.exec(source)
  return quoted && !(quoted[1] === '`' && quoted[2]!.includes('${')) ? quoted[2] : undefined
}

const firstLine = (text = '') => {
  const [line = ''] = text.trim().split('\n')
  return line.length > 80 ? `${line.slice(0, 77)}…` : line
}
