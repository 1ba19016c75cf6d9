import { stripTypeScriptTypes } from 'node:module'
import { parse, type Expression, type Function as Callable, type Node, type Pattern } from 'acorn'
import type { SpreadElement, Statement } from 'acorn'
import { own } from '#site/data.ts'

type Scope = ReadonlyMap<string, () => unknown>
/** Functions are represented by their return value for given arguments. */
const returned = Symbol('returned')
type Argument = () => unknown
type Returned = { [returned]: (given: readonly Argument[]) => unknown }
const isReturned = (value: unknown): value is Returned =>
  typeof value === 'object' && value !== null && returned in value

const maxDepth = 80
const maxNodes = 100_000
/** Longest template result. Characters. */
const maxText = 20_000

/**
 * Evaluates the literals of a module's default export without running it. Calls become their first argument, unknown values undefined.
 * Null if it does not parse.
 */
export const readLiterals = (source: string): unknown => {
  let left = maxNodes
  const evaluate = (node: Node, scope: Scope, depth: number): unknown => {
    if (depth > maxDepth || left-- <= 0) return undefined
    const inner = (child: Node) => evaluate(child, scope, depth + 1)
    const expression = node as Expression | SpreadElement
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- anything else would have to be run
    switch (expression.type) {
      case 'Literal':
        return expression.value instanceof RegExp ? undefined : expression.value
      case 'TemplateLiteral': {
        const pieces = expression.quasis.flatMap(({ value }, index) => {
          const inserted = expression.expressions[index]
          return [value.cooked, ...(inserted ? [inner(inserted)] : [])]
        })
        // Nested templates could double in length at each step.
        const length = pieces.reduce<number>((sum, piece) => sum + String(piece).length, 0)
        return pieces.includes(undefined) || length > maxText ? undefined : pieces.join('')
      }
      case 'ArrayExpression':
        return expression.elements.flatMap((element) => {
          if (element?.type !== 'SpreadElement') return [element ? inner(element) : undefined]
          const spread = inner(element.argument)
          return Array.isArray(spread) ? charge(spread as unknown[]) : []
        })
      case 'ObjectExpression':
        return Object.fromEntries(
          expression.properties.flatMap((property): [string, unknown][] => {
            if (property.type === 'SpreadElement') {
              const spread = inner(property.argument)
              return typeof spread === 'object' && spread !== null
                ? (charge(Object.entries(spread)) as [string, unknown][])
                : []
            }
            const { key, computed } = property
            if (computed || (key.type !== 'Identifier' && key.type !== 'Literal')) return []
            return [[key.type === 'Identifier' ? key.name : String(key.value), inner(property.value)]]
          }),
        )
      case 'Identifier':
        return scope.get(expression.name)?.()
      case 'MemberExpression': {
        const owner = inner(expression.object)
        const { property } = expression
        const key = expression.computed ? inner(property) : property.type === 'Identifier' ? property.name : undefined
        return typeof key === 'string' || typeof key === 'number' ? own(owner, String(key)) : undefined
      }
      case 'ChainExpression':
        return inner(expression.expression)
      case 'LogicalExpression': {
        const before = inner(expression.left)
        if (expression.operator === '??') return before ?? inner(expression.right)
        return Boolean(before) === (expression.operator === '&&') ? inner(expression.right) : before
      }
      case 'ConditionalExpression':
        return inner(inner(expression.test) ? expression.consequent : expression.alternate)
      case 'UnaryExpression': {
        const value = inner(expression.argument)
        if (expression.operator === '!') return !value
        return expression.operator === '-' && typeof value === 'number' ? -value : undefined
      }
      case 'BinaryExpression': {
        if (expression.left.type === 'PrivateIdentifier') return undefined
        const [before, after] = [inner(expression.left), inner(expression.right)]
        if (expression.operator === '===') return before === after
        if (expression.operator === '!==') return before !== after
        const isText = typeof before === 'string' && typeof after === 'string'
        return expression.operator === '+' && isText && before.length + after.length <= maxText
          ? before + after
          : undefined
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return createFunction(expression, scope, depth + 1)
      case 'CallExpression': {
        const { callee } = expression
        const called = callee.type === 'Super' ? undefined : inner(callee)
        const given = expression.arguments.map((argument) => () => inner(argument))
        if (isReturned(called)) return called[returned](given)
        const owner = callee.type === 'MemberExpression' ? inner(callee.object) : undefined
        if (Array.isArray(owner) && callee.type === 'MemberExpression' && callee.property.type === 'Identifier')
          return callList(owner, callee.property.name, given)
        return given[0]?.()
      }
      case 'AwaitExpression':
        return inner(expression.argument)
      default:
        return undefined
    }
  }
  /** Few methods of lists. Others return the list. */
  const callList = (list: readonly unknown[], method: string, given: readonly Argument[]): unknown => {
    const first = given[0]?.()
    if (method === 'filter' && first === undefined) return list.filter(Boolean)
    if (method === 'map') return isReturned(first) ? list.map((item) => first[returned]([() => item])) : undefined
    if (method === 'concat') return charge([...list, ...given.flatMap((argument) => [argument()]).flat()])
    return method === 'flat' ? charge(list.flat()) : list
  }
  /** Counts copied values, because shared ones could double in number at each step. */
  const charge = (values: unknown[]) => {
    left -= values.length
    return left > 0 ? values : []
  }
  const createFunction = (
    { params, body }: Pick<Callable, 'params' | 'body'>,
    scope: Scope,
    depth: number,
  ): Returned => ({
    [returned]: (given) => {
      const inside = new Map(scope)
      params.forEach((parameter, index) => bind(inside, parameter, given[index] ?? (() => undefined), depth))
      return body.type === 'BlockStatement'
        ? readReturn(body.body, inside, depth + 1)
        : evaluate(body, inside, depth + 1)
    },
  })
  /** Adds the names of a pattern to a scope, each evaluated once. */
  const bind = (scope: Map<string, () => unknown>, pattern: Pattern, value: Argument, depth: number): void => {
    if (pattern.type === 'Identifier') scope.set(pattern.name, once(value))
    if (pattern.type === 'AssignmentPattern')
      bind(scope, pattern.left, () => value() ?? evaluate(pattern.right, scope, depth + 1), depth)
    if (pattern.type !== 'ObjectPattern') return
    const whole = once(value)
    for (const property of pattern.properties)
      if (property.type === 'Property' && property.key.type === 'Identifier') {
        const { name } = property.key
        bind(scope, property.value, () => own(whole(), name), depth)
      }
  }
  const readReturn = (body: readonly Node[], scope: Scope, depth: number): unknown => {
    const inside = createScope(body as Statement[], scope, depth)
    const found = body.find((statement) => statement.type === 'ReturnStatement') as
      | { argument?: Expression }
      | undefined
    return found?.argument && evaluate(found.argument, inside, depth)
  }
  const createScope = (body: readonly Node[], outer: Scope, depth: number): Scope => {
    const scope = new Map(outer)
    const declare = (pattern: Pattern, value: Expression | null | undefined) => {
      if (value) bind(scope, pattern, () => evaluate(value, scope, depth + 1), depth)
    }
    for (const node of body) {
      const statement = (node.type === 'ExportNamedDeclaration' && (node as { declaration?: Node }).declaration) || node
      const {
        type,
        declarations,
        id,
        params = [],
        body: block,
      } = statement as {
        type: string
        declarations?: { id: Pattern; init?: Expression | null }[]
        id?: { name: string }
        params?: Pattern[]
        body?: Callable['body']
      }
      if (type === 'VariableDeclaration') for (const { id: name, init } of declarations ?? []) declare(name, init)
      if (type === 'FunctionDeclaration' && id && block) {
        scope.set(id.name, () => createFunction({ params, body: block }, scope, depth + 1))
      }
    }
    return scope
  }
  try {
    const program = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
    const exported = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration')
    const literals = exported && evaluate(exported.declaration, createScope(program.body, new Map(), 0), 0)
    return unwrap(literals, { left: maxNodes }, 0)
  } catch {
    return null
  }
}

/** Shared values are counted each time, because they could double in number at each level. */
const unwrap = (value: unknown, budget: { left: number }, depth: number): unknown =>
  depth > maxDepth || budget.left-- <= 0
    ? undefined
    : isReturned(value)
      ? unwrap(value[returned]([]), budget, depth + 1)
      : Array.isArray(value)
        ? value.map((item: unknown) => unwrap(item, budget, depth + 1))
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrap(item, budget, depth + 1)]))
          : value

/** A name that refers to itself has no value. */
const once = (value: Argument): Argument => {
  let found: { value: unknown } | null = null
  return () => {
    if (found) return found.value
    found = { value: undefined }
    found = { value: value() }
    return found.value
  }
}
