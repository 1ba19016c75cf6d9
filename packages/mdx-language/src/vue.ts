import type { CallExpression, Expression, Node, Program } from 'estree'
import { evaluate } from './evaluate.ts'
import { readModule, type ModuleScope, type Resolve } from './modules.ts'
import { readKey, readName } from './patterns.ts'
import type { Run } from './run.ts'
import { createScope, type Scope } from './scope.ts'
import { slotsKey, toPlainName } from './template.ts'
import { callable, isCallable, isFields, isList, isMarkup, isRef, markup, type Fields, type Value } from './values.ts'

type TypeNode = Node & {
  id?: { name: string }
  body?: TypeNode | { body?: TypeNode[] }
  members?: TypeNode[]
  key?: Node
  typeName?: { name?: string }
}
type Typed = { typeArguments?: { params?: TypeNode[] }; typeParameters?: { params?: TypeNode[] } }

/** Evaluates the scripts of a Vue component or page with the props of one use. Returns the names that its template can use. */
export const openVueScript = (
  programs: readonly Program[],
  outer: Scope | null,
  resolve: Resolve,
  given: Fields,
  run: Run,
): Pick<ModuleScope, 'scope' | 'missing'> => {
  const call = findPropsCall(programs)
  const names = call ? readTypeNames(call, programs) : []
  const macros = createScope(outer)
  const define = (name: string, value: (args: readonly Value[]) => Value) =>
    macros.names.set(name, () => callable(name, value))
  define('defineProps', ([declared]) => fillProps(given, declared, names))
  define('withDefaults', ([props, defaults]) => addDefaults(props, defaults))
  const module = readModule(programs, macros, resolve, run)
  const options = module.exports.get('default')?.()
  const fields = isFields(options) ? options : new Map<string, Value>()
  const props = call ? evaluate(call, module.scope, run) : fillProps(given, fields.get('props'), [])
  const state = ['data', 'setup', 'components'].flatMap((name) => {
    const value = fields.get(name)
    const made = isCallable(value) ? value.call([props]) : value
    return isFields(made) ? [...made] : []
  })
  const scope = createScope(macros)
  // Templates read refs without `.value`.
  const add = (name: string, value: () => Value) =>
    scope.names.set(name, () => {
      const found = value()
      return isRef(found) ? found.get('value') : found
    })
  for (const [name, value] of isFields(props) ? props : []) add(name, () => value)
  for (const [name, value] of module.scope.names) add(name, value)
  for (const [name, value] of state) add(name, () => value)
  scope.names.set('$props', () => props)
  scope.names.set(slotsKey, () => given.get(slotsKey) ?? readChildSlots(given))
  return { scope, missing: module.missing }
}

/** Content of a component that JSX or Astro calls, by slot. An element may name its slot. */
export const readChildSlots = (props: Fields): Fields => {
  const children = props.get('children')
  const slots = new Map<string, Value[]>()
  for (const child of isList(children) ? children : children === undefined ? [] : [children]) {
    for (const part of isMarkup(child) ? child.nodes.map((node) => markup([node])) : [child]) {
      const [node] = isMarkup(part) ? part.nodes : []
      const named = node?.type === 'element' ? node.properties['slot'] : undefined
      const name = typeof named === 'string' ? named : 'default'
      if (node?.type === 'element' && typeof named === 'string') {
        const { slot: _, ...properties } = node.properties
        const isOnlyName = node.tagName === 'Fragment' || node.tagName === 'template'
        slots.set(name, [...(slots.get(name) ?? []), markup(isOnlyName ? node.children : [{ ...node, properties }])])
      } else if (name !== 'default' || !isBlank(part)) slots.set(name, [...(slots.get(name) ?? []), part])
    }
  }
  return slots
}

const isBlank = (value: Value): boolean =>
  isMarkup(value)
    ? value.nodes.every((node) => node.type === 'text' && node.value.trim() === '')
    : typeof value === 'string' && value.trim() === ''

const fillProps = (given: Fields, declared: Value, typed: readonly string[]): Fields => {
  const plain = new Map([...given].map(([name, value]) => [toPlainName(name), value]))
  const listed = isList(declared) ? declared.filter((name) => typeof name === 'string') : []
  const names = [...typed, ...listed, ...(isFields(declared) ? declared.keys() : [])]
  return new Map(
    names.map((name) => {
      const rule = isFields(declared) ? declared.get(name) : undefined
      const value = plain.get(toPlainName(name))
      return [name, value === undefined && isFields(rule) ? resolveDefault(rule.get('default')) : value]
    }),
  )
}

const addDefaults = (props: Value, defaults: Value): Value => {
  if (!isFields(props)) return props
  const all = new Map(props)
  if (isFields(defaults))
    for (const [name, value] of defaults) if (all.get(name) === undefined) all.set(name, resolveDefault(value))
  return all
}

/** The default of an object is a function that returns it. */
const resolveDefault = (value: Value): Value => (isCallable(value) ? value.call([]) : value)

/** Outermost call that declares props: `withDefaults(defineProps())` or `defineProps()`. */
const findPropsCall = (programs: readonly Program[]): CallExpression | null => {
  const expressions = programs
    .flatMap(({ body }) => body)
    .flatMap((node): (Expression | null | undefined)[] =>
      node.type === 'ExpressionStatement'
        ? [node.expression]
        : node.type === 'VariableDeclaration'
          ? node.declarations.map(({ init }) => init)
          : [],
    )
  const isProps = (node: Expression | null | undefined): node is CallExpression =>
    node?.type === 'CallExpression' &&
    node.callee.type !== 'Super' &&
    /^(defineProps|withDefaults)$/.test(readName(node.callee) ?? '')
  return (expressions.find(isProps) as CallExpression | undefined) ?? null
}

const readTypeNames = (call: CallExpression, programs: readonly Program[]): string[] => {
  const [inner] = call.arguments
  const { typeArguments, typeParameters } = (
    readName(call.callee as Expression) === 'withDefaults' ? inner : call
  ) as Typed
  const [type] = (typeArguments ?? typeParameters)?.params ?? []
  const wanted = type?.typeName?.name
  const declared = programs
    .flatMap(({ body }) => body as Node[])
    .map((node) => ('declaration' in node && node.declaration ? (node.declaration as TypeNode) : (node as TypeNode)))
    .find(({ id, type: kind }) => wanted !== undefined && id?.name === wanted && String(kind).startsWith('TS'))
  const { body } = declared ?? {}
  const named = (body && 'body' in body ? body.body : (declared as { typeAnnotation?: TypeNode })?.typeAnnotation) ?? []
  const members = Array.isArray(named) ? (named as TypeNode[]) : ((named as TypeNode).members ?? [])
  return (type?.members ?? members).flatMap(({ key }) => {
    const name = key ? readKey({ key: key as Expression, computed: false }) : null
    return name === null ? [] : [name]
  })
}
