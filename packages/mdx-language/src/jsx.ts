import type { Expression } from 'estree'
import type {
  JSXAttribute,
  JSXElement,
  JSXFragment,
  JSXIdentifier,
  JSXMemberExpression,
  JSXNamespacedName,
  JSXSpreadAttribute,
} from 'estree-jsx'
import { chargeSize, spendSteps } from './budget.ts'
import { readMember } from './patterns.ts'
import { toNodes, runWithinBudget, type Run } from './run.ts'
import { findName, type Scope } from './scope.ts'
import { isCallable, isFields, isUnknown, markup, unknown, type Fields, type Value } from './values.ts'

const maxProps = 1_000

/** Evaluates JSX. Calls the components of the source; the host renders other names. */
export const evaluateJsx = (node: JSXElement | JSXFragment, scope: Scope, run: Run): Value => {
  const children = readChildren(node.children, scope, run)
  if (node.type === 'JSXFragment') return markup(toNodes(children, run))
  const { name, attributes } = node.openingElement
  return createElement(readJsxName(name), readProps(attributes, scope, run), children, scope, run)
}

/** Creates an element by name. A component that cannot be evaluated becomes an element, which keeps its children. */
export const createElement = (
  name: string,
  props: Fields,
  children: readonly Value[],
  scope: Scope,
  run: Run,
): Value => {
  spendSteps(run.budget)
  chargeSize(run.budget, 1 + name.length)
  // The host renders a fragment with attributes, because a slot name decides where its children belong.
  const isPlain = props.size === 0 || (props.size === 1 && props.has('key'))
  if (isPlain && (name === 'Fragment' || name === 'React.Fragment')) return markup(toNodes(children, run))
  const component = findComponent(name, scope)
  if (isCallable(component)) {
    const result = runWithinBudget(() => component.call([addChildren(props, children)]), unknown)
    if (!isUnknown(result)) return markup(toNodes(result, run))
    const hole = run.host.hole(`<${name}>: ${result.reason}`)
    return markup(children.length > 0 || props.size > 0 ? [...createHostElement(name, props, children, run)] : hole)
  }
  // A name may stand for an element: `const Tag = href ? 'a' : 'div'`.
  return markup(createHostElement(typeof component === 'string' ? component : name, props, children, run))
}

const createHostElement = (name: string, props: Fields, children: readonly Value[], run: Run) =>
  run.host.element(name, props, toNodes(children, run))

/** `a.b` reads a field of `a`. A lower-case name is always an element. */
const findComponent = (name: string, scope: Scope): Value => {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0 && !/^[A-Z_$]/.test(first)) return undefined
  const found = findName(scope, first)
  if (!found) return undefined
  return rest.reduce<Value>((owner, key) => (isFields(owner) ? readMember(owner, key) : undefined), found())
}

const addChildren = (props: Fields, children: readonly Value[]): Fields =>
  children.length === 0
    ? props
    : new Map<string, Value>([...props, ['children', children.length === 1 ? children[0] : children]])

const readProps = (attributes: readonly (JSXAttribute | JSXSpreadAttribute)[], scope: Scope, run: Run): Fields => {
  const props = new Map<string, Value>()
  for (const attribute of attributes.slice(0, maxProps)) {
    spendSteps(run.budget)
    if (attribute.type === 'JSXSpreadAttribute') {
      addSpread(props, run.evaluate(attribute.argument, scope), run)
      continue
    }
    const name = readJsxName(attribute.name)
    const { value } = attribute
    if (!value) props.set(name, true)
    else if (value.type === 'Literal') props.set(name, typeof value.value === 'string' ? value.value : undefined)
    else if (value.type === 'JSXExpressionContainer')
      props.set(
        name,
        value.expression.type === 'JSXEmptyExpression' ? undefined : run.evaluate(value.expression, scope),
      )
    else props.set(name, evaluateJsx(value, scope, run))
  }
  return props
}

/** Adds the fields of `{...value}`. An unknown value becomes a field without a name, for the report. */
export const addSpread = (props: Map<string, Value>, value: Value, run: Run): void => {
  if (isFields(value)) {
    chargeSize(run.budget, value.size)
    for (const [key, item] of value) props.set(key, item)
  } else if (isUnknown(value)) props.set('', value)
}

const readChildren = (children: JSXElement['children'], scope: Scope, run: Run): Value[] =>
  children.flatMap((child): Value[] => {
    spendSteps(run.budget)
    switch (child.type) {
      case 'JSXText': {
        const text = toJsxText(child.value)
        chargeSize(run.budget, text.length)
        return text === '' ? [] : [text]
      }
      case 'JSXExpressionContainer':
        return child.expression.type === 'JSXEmptyExpression' ? [] : [run.evaluate(child.expression, scope)]
      case 'JSXSpreadChild':
        return [run.evaluate(child.expression as Expression, scope)]
      case 'JSXElement':
      case 'JSXFragment':
        return [run.evaluate(child as unknown as Expression, scope)]
    }
  })

/** Reads text as JSX does: trims and joins lines, and drops line breaks and indentation. */
const toJsxText = (source: string): string => {
  const lines = source.split(/\r\n|\n|\r/)
  const last = lines.length - 1
  return lines
    .map((line, index) => {
      const begun = index === 0 ? line : line.replace(/^[ \t]+/, '')
      return index === last ? begun : begun.trimEnd()
    })
    .filter((line) => line !== '')
    .join(' ')
}

const readJsxName = (name: JSXIdentifier | JSXMemberExpression | JSXNamespacedName): string => {
  const parts: string[] = []
  let at: JSXIdentifier | JSXMemberExpression | JSXNamespacedName = name
  for (; at.type === 'JSXMemberExpression'; at = at.object) parts.unshift(at.property.name)
  parts.unshift(at.type === 'JSXIdentifier' ? at.name : `${at.namespace.name}:${at.name.name}`)
  return parts.join('.')
}
