import type { Expression, Program } from 'estree'
import type { Element, ElementContent, Properties, Root, RootContent } from 'hast'
import type {} from 'remark-mdx'
import { chargeSize, spendSteps } from '@docket/mdx-language/budget'
import { evaluate } from '@docket/mdx-language/evaluate'
import { addSpread, createElement } from '@docket/mdx-language/jsx'
import { toNodes, runWithinBudget, type Run } from '@docket/mdx-language/run'
import { findName, type Scope } from '@docket/mdx-language/scope'
import {
  isCallable,
  isFields,
  isPrimitive,
  isUnknown,
  markup,
  unknown,
  type Fields,
  type Value,
} from '@docket/mdx-language/values'
import type { Note } from '#markdown/page-notes.ts'
import { removeLonePlaceholders, openPage, type Place } from './mdx-host.ts'
import { createMdxModules, type ParsePiece } from './mdx-modules.ts'
import { formatSnippetName, registeredName, type PagePieces } from './page-pieces.ts'

type Estree = { data?: { estree?: Program | null } }
type JsxAttribute = { type: string; name?: string; value?: string | null | ({ value: string } & Estree) } & Estree
type MdxNode = Estree & {
  type: string
  name?: string | null
  value?: string
  attributes?: JsxAttribute[]
  children?: RootContent[]
}

/** Replaces MDX nodes by elements, within a budget. An element that cannot be evaluated keeps its children and is reported. `parse` reads imported Markdown. */
export const replaceMdxNodes = (tree: Root, note: Note, pieces: PagePieces, parse: ParsePiece): void => {
  const opened = openPage(note)
  const { run, place, globals } = opened
  const modules = createMdxModules({
    ...opened,
    pieces,
    parse,
    convert: (piece, scope) => piece.children.flatMap((child) => convert(child, scope)),
  })
  const snippet = (name: string | null | undefined, props: Fields): Value => {
    const file = name === 'Snippet' ? props.get('file') : undefined
    return typeof file === 'string' ? modules.resolve(formatSnippetName(file))?.get('default')?.() : undefined
  }
  const { convert } = createMdxConverter(run, place, snippet, opened.note)
  const registered = modules.resolve(registeredName)?.get('default')
  const components = registered && runWithinBudget(registered, unknown)
  for (const [name, value] of isFields(components) ? components : [])
    if (isCallable(value) && /^[A-Z]/.test(name)) globals.names.set(name, () => value)
  const { scope } = modules.declare(tree, modules.imports, globals)
  tree.children = tree.children.flatMap((child) => convert(child, scope))
  removeLonePlaceholders(tree)
}

type FindSnippet = (name: string | null | undefined, props: Fields) => Value

const createMdxConverter = (run: Run, place: Place, findSnippet: FindSnippet, note: Note) => {
  const within = <T>(source: string, work: () => T): T => {
    const before = place.source
    place.source = source
    try {
      return work()
    } finally {
      place.source = before
    }
  }

  const convert = (node: RootContent, scope: Scope): RootContent[] => {
    const { type, name, value, attributes, children } = node as MdxNode
    // Only imported pieces cost budget, because they can be used many times.
    if (run.active.size > 0) {
      spendSteps(run.budget)
      chargeSize(run.budget, value?.length ?? 0)
    }
    if (type === 'mdxjsEsm') return []
    if (type === 'mdxFlowExpression' || type === 'mdxTextExpression')
      return convertExpression(node as MdxNode, value ?? '', scope)
    const content = children?.flatMap((child) => convert(child, scope))
    if (type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement')
      return convertElement(name ?? 'Fragment', attributes ?? [], (content ?? []) as ElementContent[], scope)
    if (content && isOnlyBlocks(node, children ?? [])) return content
    if (node.type === 'text') return [{ ...node }]
    if (node.type !== 'element') return [content ? ({ ...node, children: content } as RootContent) : node]
    const filled = node.tagName === 'pre' && scope.names.has('props') ? fillCode(node, scope) : content
    return [{ ...node, properties: fillAddresses(node.properties, scope), children: filled as ElementContent[] }]
  }

  const convertElement = (
    name: string,
    attributes: readonly JsxAttribute[],
    content: ElementContent[],
    scope: Scope,
  ): ElementContent[] =>
    within(`<${name}>`, () => {
      const children = content.some((node) => node.type !== 'text' || node.value.trim() !== '') ? [markup(content)] : []
      const props = readProps(attributes, scope)
      return safely(
        () => run.host.element(name, props, content),
        () => {
          const piece = findSnippet(name, props)
          if (piece === undefined) return toNodes(createElement(name, props, children, scope, run), run)
          const names = { names: new Map([['Snippet', () => piece]]), outer: scope }
          return toNodes(createElement('Snippet', props, children, names, run), run)
        },
      )
    })

  /** Keeps the literal content if the budget is used up. */
  const safely = (instead: () => ElementContent[], work: () => ElementContent[]): ElementContent[] =>
    runWithinBudget(work, (reason) => {
      note('left-out', `${place.source ?? 'an expression'}: ${reason}`)
      return instead()
    })

  const convertExpression = (node: MdxNode, source: string, scope: Scope): RootContent[] => {
    const expression = readExpression(node)
    if (expression === null) return []
    const label = `an expression: {${readFirstLine(source)}}`
    return within(label, () => {
      const value = runWithinBudget(() => evaluate(expression, scope, run), unknown)
      if (!isUnknown(value))
        return safely(
          () => run.host.hole(''),
          () => toNodes(value, run),
        )
      note('left-out', /a cycle: /.test(value.reason) ? value.reason : label)
      // The name is undefined, so its author may have meant the braces as text.
      if (plainName.test(source) && !findName(scope, source.split('.')[0]!))
        return [{ type: 'text', value: `{${source}}` }]
      const isBlock = node.type === 'mdxFlowExpression'
      return [{ type: 'element', tagName: isBlock ? 'not-here' : 'not-here-inline', properties: {}, children: [] }]
    })
  }

  const readProps = (attributes: readonly JsxAttribute[], scope: Scope): Fields => {
    const props = new Map<string, Value>()
    for (const attribute of attributes) {
      const { type, name, value } = attribute
      if (type !== 'mdxJsxAttribute' || !name) {
        const [statement] = attribute.data?.estree?.body ?? []
        const object = statement?.type === 'ExpressionStatement' ? statement.expression : null
        const spread = object?.type === 'ObjectExpression' ? object.properties[0] : undefined
        const found =
          spread?.type === 'SpreadElement'
            ? runWithinBudget(() => evaluate(spread.argument, scope, run), unknown)
            : unknown('')
        addSpread(props, found, run)
      } else if (value === null || value === undefined) props.set(name, true)
      else if (typeof value === 'string') props.set(name, value)
      else {
        const expression = readExpression(value)
        props.set(
          name,
          expression === null ? undefined : runWithinBudget(() => evaluate(expression, scope, run), unknown),
        )
      }
    }
    return props
  }

  return { convert }
}

const plainName = /^[\w$.]{1,80}$/

/** `<Step>text</Step>` on one line parses as a paragraph, which a list must not contain. MDX also drops such paragraphs. */
const isOnlyBlocks = (node: RootContent, children: readonly RootContent[]) => {
  const pieces = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const isBlock = ({ type, name, attributes }: MdxNode) =>
    type === 'mdxJsxTextElement' &&
    ((/^[A-Z]/.test(name ?? '') && !/^(Icon|Tooltip|Badge)$/.test(name ?? '')) ||
      (attributes ?? []).some((attribute) => attribute.name === 'slot'))
  return (
    node.type === 'element' &&
    node.tagName === 'p' &&
    pieces.length > 0 &&
    pieces.every((piece) => isBlock(piece as MdxNode))
  )
}

/** `[text]({url})`: Markdown does not read expressions in addresses, so single names are filled in later. */
const fillAddresses = (properties: Properties, scope: Scope): Properties => {
  const filled = { ...properties }
  for (const name of ['href', 'src']) {
    const address = filled[name]
    if (typeof address !== 'string' || !address.includes('%7B')) continue
    filled[name] = fillNames(address, /%7B(?:props\.)?([A-Za-z_]\w*)%7D/g, (key) => findName(scope, key)?.())
  }
  return filled
}

/** Code blocks of a piece can also use the names of its attributes. */
const fillCode = (pre: Element, scope: Scope): ElementContent[] =>
  pre.children.map((code) => {
    if (code.type !== 'element') return { ...code }
    const children = code.children.map((child) =>
      child.type === 'text'
        ? {
            ...child,
            value: fillNames(child.value, /\{(?:props\.)?([A-Za-z_]\w*)\}/g, (key) => scope.names.get(key)?.()),
          }
        : child,
    )
    return { ...code, properties: { ...code.properties }, children }
  })

const fillNames = (text: string, names: RegExp, read: (name: string) => Value): string =>
  text.replace(names, (whole, name: string) => {
    const value = read(name)
    return isPrimitive(value) && value !== undefined && value !== null ? String(value) : whole
  })

/** Expression of a node; null for an empty one or a comment. */
const readExpression = ({ data }: Estree): Expression | null => {
  const [statement] = data?.estree?.body ?? []
  return statement?.type === 'ExpressionStatement' ? statement.expression : null
}

const readFirstLine = (text = '') => {
  const [line = ''] = text.trim().split('\n')
  return line.length > 80 ? `${line.slice(0, 77)}…` : line
}
