import type { Expression, Pattern } from 'estree'
import type { Element, ElementContent } from 'hast'
import { chargeSize, maxDepth, spendSteps } from './budget.ts'
import { evaluate } from './evaluate.ts'
import { isTrue } from './operators.ts'
import { parseExpression } from './parse-source.ts'
import { bindPattern } from './patterns.ts'
import { toNodes, runWithinBudget, type Run } from './run.ts'
import { createScope, findName, type Scope } from './scope.ts'
import {
  isCallable,
  isFields,
  isList,
  isMarkup,
  isUnknown,
  markup,
  unknown,
  type Callable,
  type Value,
} from './values.ts'

const wrappers = /^(template|clientonly|keepalive|transition|transitiongroup|suspense|teleport)$/
const interpolation = /\{\{((?:(?!\{\{)[\s\S]){1,1000}?)\}\}/
const loop = /^\s*([\s\S]{1,200}?)\s+(?:in|of)\s+([\s\S]+)$/
/** Maximum repetitions of `v-for="n in 9"`. */
const maxNumber = 1_000

export const createTemplateEvaluator = (run: Run) => {
  const parsed = new Map<string, Expression | null>()
  /** Number of repetitions around the current element. Content outside loops costs nothing. */
  let repeats = 0

  const parse = (source: string): Expression | null => {
    const known = parsed.get(source)
    if (known !== undefined) return known
    spendSteps(run.budget, source.length / 8)
    const found = tryParse(source)
    parsed.set(source, found)
    return found
  }

  const read = (source: string, scope: Scope): Value => {
    const expression = parse(source)
    return expression === null
      ? unknown(`an expression that does not parse: ${source}`)
      : evaluate(expression, scope, run)
  }

  /** Slots and dynamic components can nest without end, so they share the depth limit of expressions. */
  const all = (nodes: readonly ElementContent[], scope: Scope): ElementContent[] => {
    if (run.depth >= maxDepth) return run.host.hole('elements that are nested too deep')
    run.depth += 1
    try {
      return list(nodes, scope)
    } finally {
      run.depth -= 1
    }
  }

  const list = (nodes: readonly ElementContent[], scope: Scope): ElementContent[] => {
    let isOpen = false
    return nodes.flatMap((node): ElementContent[] => {
      spendSteps(run.budget)
      if (node.type === 'text') return text(node.value, scope)
      if (node.type !== 'element') return []
      const { properties } = node
      const isElse = 'v-else' in properties || 'v-else-if' in properties
      if (isElse && !isOpen) return []
      const test = properties['v-if'] ?? properties['v-else-if']
      // A loop is evaluated before the condition of its items.
      if (typeof test === 'string' && !('v-for' in properties)) {
        const value = read(test, scope)
        // Content under an unknown condition is kept. Content under its negation, which often says that something is missing, is not.
        isOpen = isUnknown(value) ? isNegation(parse(test)) : !isTrue(value)
        const hole = isUnknown(value) ? run.host.hole(value.reason) : []
        if (isOpen) return hole
      } else if (isElse) isOpen = false
      return repeated(node, scope)
    })
  }

  const text = (source: string, scope: Scope): ElementContent[] => {
    if (!source.includes('{{')) {
      if (repeats > 0) chargeSize(run.budget, source.length)
      return [{ type: 'text', value: source }]
    }
    return source
      .split(interpolation)
      .flatMap((piece, at) =>
        at % 2 === 0
          ? piece === ''
            ? []
            : toNodes(piece, run)
          : toNodes(named(read(piece.trim(), scope), piece), run),
      )
  }

  const named = (value: Value, source: string): Value =>
    isUnknown(value) && !value.reason.startsWith('a cycle: ') ? unknown(`{{ ${source.trim().slice(0, 80)} }}`) : value

  const repeated = (node: Element, scope: Scope): ElementContent[] => {
    const source = node.properties['v-for']
    if (typeof source !== 'string') return one(node, scope)
    const [, pattern = '', list = ''] = loop.exec(source) ?? []
    const parameters = readPatterns(parse(`(${pattern.replace(/^\(([\s\S]*)\)$/, '$1')}) => 0`))
    const value = read(list, scope)
    const items = parameters === null ? null : listItems(value)
    if (items === null) return run.host.hole(isUnknown(value) ? value.reason : `v-for of ${list}`)
    const { 'v-for': _, ...properties } = node.properties
    return repeating(() =>
      items.flatMap((item) => {
        spendSteps(run.budget)
        const inside = createScope(scope)
        for (const [index, parameter] of parameters!.entries()) bindPattern(parameter, () => item[index], inside, run)
        return all([{ ...node, properties }], inside)
      }),
    )
  }

  const repeating = <T>(work: () => T): T => {
    repeats += 1
    try {
      return work()
    } finally {
      repeats -= 1
    }
  }

  const one = (node: Element, scope: Scope): ElementContent[] => {
    const { tagName, properties } = node
    if (repeats > 0) chargeSize(run.budget, 1 + tagName.length)
    if ('v-pre' in properties) return [node]
    const name = toPlainName(tagName)
    if (name === 'slot') return slot(node, scope)
    const component =
      name === 'component'
        ? readAttributes(node, scope).get('is')
        : /^[a-z][a-z0-9]*$/.test(tagName) && tagName.length < 3
          ? undefined
          : findComponent(name, scope)
    if (isCallable(component)) return callComponent(component, node, scope)
    if (name === 'component' && typeof component === 'string') return plain({ ...node, tagName: component }, scope)
    if (!wrappers.test(name)) return plain(node, scope)
    const children = all(listContent(node), scope)
    const tag = name === 'transitiongroup' ? properties['tag'] : undefined
    return typeof tag === 'string' ? run.host.element(tag, new Map(), children) : children
  }

  const plain = (node: Element, scope: Scope): ElementContent[] => {
    const { properties } = node
    const own = Object.entries(properties).filter(([key]) => !isDirective(key))
    const children = all(listContent(node), scope)
    if (own.length === Object.keys(properties).length) return [{ ...node, children }]
    const [made, ...rest] = run.host.element(node.tagName, readBound(node, scope), children)
    if (made?.type !== 'element') return made ? [made, ...rest] : rest
    const classes = [properties['className'], made.properties['className']].flatMap((names) => names ?? [])
    const merged = { ...Object.fromEntries(own), ...made.properties }
    if (classes.length > 0) merged['className'] = classes.map(String)
    return [{ ...made, properties: merged }, ...rest]
  }

  /** Evaluates computed attributes. Events and `v-model` do not affect the initial state of a page. */
  const readBound = ({ properties }: Element, scope: Scope): Map<string, Value> => {
    const bound = new Map<string, Value>()
    for (const [key, source] of Object.entries(properties)) {
      const [, name] = /^(?:v-bind)?:([^.[\]]+)/.exec(key) ?? []
      // `:name` alone is `:name="name"`.
      if (name !== undefined) bound.set(name, read(source === '' ? toCamelCase(name) : String(source), scope))
      else if (key === 'v-bind') {
        const value = read(String(source), scope)
        if (isFields(value)) for (const [field, item] of value) bound.set(field, item)
        else bound.set('', value)
      } else if (key === 'v-html' || key === 'v-text')
        bound.set(key === 'v-html' ? 'set:html' : 'set:text', read(String(source), scope))
    }
    bound.delete('key')
    return bound
  }

  const readAttributes = (node: Element, scope: Scope): Map<string, Value> => {
    const props = new Map<string, Value>()
    for (const [key, value] of Object.entries(node.properties))
      if (!isDirective(key))
        props.set(
          key === 'className' ? 'class' : key,
          value === '' ? true : Array.isArray(value) ? value.join(' ') : (value ?? undefined),
        )
    for (const [key, value] of readBound(node, scope)) props.set(key, value)
    return props
  }

  const callComponent = (component: Callable, node: Element, scope: Scope): ElementContent[] => {
    const slots = new Map<string, Value>()
    const rest: ElementContent[] = []
    const own = readSlot(node)
    for (const child of listContent(node)) {
      const named = child.type === 'element' && child.tagName === 'template' ? readSlot(child) : null
      if (child.type === 'element' && named !== null) {
        const { 'v-if': test } = child.properties
        const value = typeof test === 'string' ? read(test, scope) : true
        if (isUnknown(value) || isTrue(value))
          slots.set(named.name, slotFunction(listContent(child), named.pattern, scope))
      } else rest.push(child)
    }
    const isEmpty = rest.every(
      (child) => child.type !== 'element' && (child.type !== 'text' || !/\S/.test(child.value)),
    )
    if (!isEmpty) slots.set(own?.name ?? 'default', slotFunction(rest, own?.pattern ?? null, scope))
    const props = new Map<string, Value>([...readAttributes(node, scope), [slotsKey, slots]])
    const result = repeating(() => runWithinBudget(() => component.call([props]), unknown))
    if (!isUnknown(result)) return toNodes(result, run)
    const kept = all(listContent(node), scope)
    const { properties } = node
    const hole = run.host.hole(`<${component.name}>: ${result.reason}`)
    return Object.keys(properties).length > 0 || kept.length > 0
      ? run.host.element(node.tagName, readAttributes(node, scope), kept)
      : hole
  }

  /** Slot content belongs to the place that wrote it, where the component that shows it is not running. */
  const slotFunction = (nodes: readonly ElementContent[], pattern: string | null, scope: Scope): Callable => {
    const active = new Map(run.active)
    const call: Callable['call'] = ([props]) => {
      const before = run.active
      run.active = active
      try {
        const inside = createScope(scope)
        const [parameter] = pattern === null ? [] : (readPatterns(parse(`(${pattern}) => 0`)) ?? [])
        if (parameter) bindPattern(parameter, () => props, inside, run)
        return markup(repeating(() => all(nodes, inside)))
      } finally {
        run.active = before
      }
    }
    return { kind: 'callable', name: 'slot', call }
  }

  const slot = (node: Element, scope: Scope): ElementContent[] => {
    const attributes = readAttributes(node, scope)
    const name = attributes.get('name')
    const slots = findName(scope, slotsKey)?.()
    const given = isFields(slots) ? slots.get(toPlainName(typeof name === 'string' ? name : 'default')) : undefined
    if (isCallable(given)) return toNodes(given.call([attributes]), run)
    return isMarkup(given) || isList(given) ? toNodes(given, run) : all(listContent(node), scope)
  }

  return { all, read, repeating }
}

const isNegation = (test: Expression | null) => test?.type === 'UnaryExpression' && test.operator === '!'

const isDirective = (key: string) => /^(?:v-|:|@|#)/.test(key)

const listContent = (node: Element): ElementContent[] =>
  node.tagName === 'template' && node.content ? (node.content.children as ElementContent[]) : node.children

const readSlot = ({ properties }: Element): { name: string; pattern: string | null } | null => {
  const key = Object.keys(properties).find((name) => /^(?:#|v-slot(?::|$))/.test(name))
  if (key === undefined) return null
  const pattern = properties[key]
  const name = toPlainName(key.replace(/^(?:#|v-slot:?)/, '')) || 'default'
  return { name, pattern: typeof pattern === 'string' && pattern !== '' ? pattern : null }
}

const tryParse = (source: string): Expression | null => {
  try {
    return parseExpression(source, 'template.ts')
  } catch {
    return null
  }
}

const readPatterns = (arrow: Expression | null): readonly Pattern[] | null =>
  arrow?.type === 'ArrowFunctionExpression' ? arrow.params : null

/** Arguments of each repetition; null if the value cannot be repeated. */
const listItems = (value: Value): Value[][] | null => {
  if (value === undefined || value === null) return []
  if (isList(value)) return value.map((item, index) => [item, index])
  if (isFields(value)) return [...value].map(([key, item], index) => [item, key, index])
  if (typeof value === 'number' && value <= maxNumber)
    return Array.from({ length: Math.max(0, Math.trunc(value)) }, (_, index) => [index + 1, index])
  return null
}

const toCamelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Field of the props of a component with its slots: functions from the props of a slot to elements. */
export const slotsKey = '$slots'

/** Name of a component or attribute without the `x-` prefix, hyphens and capitals, because an HTML parser does not keep them. */
export const toPlainName = (name: string): string => name.replace(/^x-/, '').replaceAll('-', '').toLowerCase()

/** Components of a scope by the names in tags, which lose their capitals in an HTML parser. */
const components = new WeakMap<Scope, ReadonlyMap<string, () => Value>>()

const listComponents = (scope: Scope) => {
  const known = components.get(scope)
  if (known) return known
  const capitals = [...scope.names].filter(([key]) => /^[A-Z]/.test(key))
  const listed = new Map(capitals.map(([key, value]) => [toPlainName(key), value]))
  components.set(scope, listed)
  return listed
}

export const findComponent = (name: string, scope: Scope): Value => {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const value = at.names.size > 0 ? listComponents(at).get(name) : undefined
    if (value !== undefined) return value()
  }
  return undefined
}
