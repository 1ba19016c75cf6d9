import { stripTypeScriptTypes } from 'node:module'
import { parse, type Expression, type Node, type Pattern, type SpreadElement, type Statement } from 'acorn'

type Scope = ReadonlyMap<string, () => unknown>
/** Functions are represented by their return value. */
const returned = Symbol('returned')
type Returned = { [returned]: () => unknown }
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
          return Array.isArray(spread) ? (spread as unknown[]) : []
        })
      case 'ObjectExpression':
        return Object.fromEntries(
          expression.properties.flatMap((property): [string, unknown][] => {
            if (property.type === 'SpreadElement') {
              const spread = inner(property.argument)
              return typeof spread === 'object' && spread !== null ? Object.entries(spread) : []
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
        if (expression.computed || property.type !== 'Identifier' || typeof owner !== 'object' || owner === null)
          return undefined
        return Object.hasOwn(owner, property.name) ? (owner as Record<string, unknown>)[property.name] : undefined
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression': {
        const { body } = expression
        const value = () =>
          body.type === 'BlockStatement' ? readReturn(body.body, scope, depth + 1) : evaluate(body, scope, depth + 1)
        return { [returned]: value }
      }
      case 'CallExpression': {
        const called = expression.callee.type === 'Super' ? undefined : inner(expression.callee)
        if (isReturned(called)) return called[returned]()
        const [first] = expression.arguments
        return first ? inner(first) : undefined
      }
      case 'AwaitExpression':
        return inner(expression.argument)
      default:
        return undefined
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
      if (pattern.type === 'Identifier' && value) scope.set(pattern.name, () => evaluate(value, scope, depth + 1))
    }
    for (const node of body) {
      const statement = (node.type === 'ExportNamedDeclaration' && (node as { declaration?: Node }).declaration) || node
      const {
        type,
        declarations,
        id,
        body: block,
      } = statement as {
        type: string
        declarations?: { id: Pattern; init?: Expression | null }[]
        id?: { name: string }
        body?: { body: Node[] }
      }
      if (type === 'VariableDeclaration') for (const { id: name, init } of declarations ?? []) declare(name, init)
      if (type === 'FunctionDeclaration' && id && block) {
        scope.set(id.name, () => ({ [returned]: () => readReturn(block.body, scope, depth + 1) }))
      }
    }
    return scope
  }
  try {
    const program = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
    const exported = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration')
    const literals = exported && evaluate(exported.declaration, createScope(program.body, new Map(), 0), 0)
    return unwrap(literals, 0)
  } catch {
    return null
  }
}

/** Recursive names end, because every lookup is counted. */
const unwrap = (value: unknown, depth: number): unknown =>
  depth > maxDepth
    ? undefined
    : isReturned(value)
      ? unwrap(value[returned](), depth + 1)
      : Array.isArray(value)
        ? value.map((item: unknown) => unwrap(item, depth + 1))
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrap(item, depth + 1)]))
          : value
