import type { Expression, Node, Program, Statement } from 'estree'
import { astroToJsx } from './astro-markup.ts'
import { declareNames } from './blocks.ts'
import { evaluate } from './evaluate.ts'
import { readModule, type ModuleScope, type Resolve } from './modules.ts'
import { parseExpression, parseSource } from './parse-source.ts'
import { runUnlessActive, toNodes, type Run } from './run.ts'
import { createScope, type Scope } from './scope.ts'
import {
  callable,
  isFields,
  isList,
  isMarkup,
  markup,
  unknown,
  type Callable,
  type Fields,
  type Value,
} from './values.ts'
import { readChildSlots } from './vue.ts'
import { readName } from './patterns.ts'

export type AstroFile = { program: Program; template: Expression }

const fence = /^---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*\r?(?:\n|$)/

/** Parses an `.astro` component. Throws a `SyntaxError`. */
export const parseAstro = (source: string): AstroFile => {
  const text = source.trimStart()
  const [matter = '', script = ''] = fence.exec(text) ?? []
  const program = parseSource(script, 'frontmatter.ts')
  return { program, template: parseExpression(astroToJsx(text.slice(matter.length)), 'template.tsx') }
}

/** The component of an `.astro` file. `globals` are further fields of `Astro`, in addition to the props and slots. */
export const createAstroComponent = (
  { program, template }: AstroFile,
  name: string,
  globals: Fields,
  resolve: Resolve,
  run: Run,
): { component: Callable; missing: ModuleScope['missing'] } => {
  const isImport = ({ type }: Node) => type === 'ImportDeclaration'
  const imports = readModule([{ ...program, body: program.body.filter(isImport) }], null, resolve, run)
  const body = program.body
    .filter((node) => !isImport(node))
    .map((node) => ('declaration' in node && node.declaration ? node.declaration : node) as Statement)
  const changed = findReassignedNames(body)
  const call: Callable['call'] = ([given]) =>
    runUnlessActive(run, program, name, () => {
      const props = isFields(given) ? given : new Map<string, Value>()
      const scope = createScope(imports.scope)
      declareAstroGlobal(scope, props, globals, run)
      for (const statement of body) declareNames(statement, scope, run)
      for (const variable of changed)
        if (scope.names.has(variable)) scope.names.set(variable, () => unknown(`${variable}, which changes`))
      return evaluate(template, scope, run)
    })
  return { component: callable(name, call), missing: imports.missing }
}

const declareAstroGlobal = (scope: Scope, all: Fields, globals: Fields, run: Run) => {
  const slots = readChildSlots(all)
  const props = new Map([...all].filter(([name]) => name !== 'children'))
  const has = callable('has', ([name]) => typeof name === 'string' && slots.has(name))
  const show = callable('render', ([name]) => (typeof name === 'string' ? (slots.get(name) ?? '') : ''))
  const given = [...slots.keys()].map((key): [string, Value] => [key, true])
  const shown = new Map<string, Value>([...given, ['has', has], ['render', show]])
  const astro = new Map<string, Value>([...globals, ['props', props], ['slots', shown]])
  scope.names.set('Astro', () => astro)
  scope.names.set('$Slot', () =>
    callable('slot', ([attributes]) => {
      const fields = isFields(attributes) ? attributes : new Map<string, Value>()
      const name = fields.get('name')
      const content = slots.get(typeof name === 'string' ? name : 'default')
      const nodes = toNodes(isFilled(content) ? content : fields.get('children'), run)
      const target = fields.get('slot')
      if (typeof target !== 'string') return markup(nodes)
      return markup([{ type: 'element', tagName: 'Fragment', properties: { slot: target }, children: nodes }])
    }),
  )
}

const isFilled = (value: Value) =>
  isList(value) ? value.length > 0 : value !== undefined && !(isMarkup(value) && value.nodes.length === 0)

const maxDepth = 100
const mutation = /^(push|unshift|pop|shift|splice|set|add|delete|fill)$/

/** Names that statements assign after their declaration, which therefore have no single value. Ignores function declarations, which change nothing until called. */
const findReassignedNames = (body: readonly Node[]): ReadonlySet<string> => {
  const changed = new Set<string>()
  const add = (node: unknown) => {
    const name = readName(node as Parameters<typeof readName>[0])?.split('.')[0]
    if (name !== undefined) changed.add(name)
  }
  const walk = (value: unknown, depth: number) => {
    if (depth > maxDepth || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1)
      return
    }
    const node = value as Node
    if (node.type === 'AssignmentExpression') add(node.left)
    if (node.type === 'UpdateExpression') add(node.argument)
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression' &&
      node.callee.property.type === 'Identifier' &&
      mutation.test(node.callee.property.name)
    )
      add(node.callee.object)
    if (node.type === 'FunctionDeclaration') return
    for (const item of Object.values(node)) walk(item, depth + 1)
  }
  walk(body, 0)
  return changed
}
