import type { CallExpression, Expression, Node } from 'estree'
import type { JSXElement, JSXFragment } from 'estree-jsx'
import { makeFunction } from './blocks.ts'
import { chargeSize, maxDepth, spendSteps, type Budget } from './budget.ts'
import { evaluateJsx } from './jsx.ts'
import { callMethod, findStatic } from './methods.ts'
import { applyBinary, applyUnary, isTrue } from './operators.ts'
import { readKey, readMember, readName } from './patterns.ts'
import { joinTexts, type Host, type Run } from './run.ts'
import { findName, importName, type Scope } from './scope.ts'
import { isCallable, isFields, isList, isUnknown, unknown, type Value } from './values.ts'

type Wrapped = { type: string; expression?: Expression }

const constants: Readonly<Record<string, Value>> = { undefined, NaN: Number.NaN, Infinity }

export const createRun = (budget: Budget, host: Host, isLenient = false): Run => {
  const evaluateIn: Run['evaluate'] = (node, scope) => evaluate(node, scope, run)
  const run: Run = { budget, host, depth: 0, active: new Map(), evaluate: evaluateIn, isLenient }
  return run
}

/** Evaluates an expression. Unsupported syntax yields an unknown value and does not run. Throws `OutOfBudget`. */
export const evaluate = (node: Expression, scope: Scope, run: Run): Value => {
  spendSteps(run.budget)
  if (run.depth >= maxDepth) return unknown('an expression that is nested too deep')
  run.depth += 1
  try {
    return evaluateNode(node, scope, run)
  } finally {
    run.depth -= 1
  }
}

const evaluateNode = (node: Expression, scope: Scope, run: Run): Value => {
  const inner = (child: Expression) => evaluate(child, scope, run)
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other syntax is unsupported
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string') chargeSize(run.budget, node.value.length)
      return typeof node.value === 'object' && node.value !== null
        ? unknown('a regular expression')
        : typeof node.value === 'bigint'
          ? unknown('a big integer')
          : node.value
    case 'TemplateLiteral': {
      const parts: Value[] = node.quasis.flatMap(({ value }, index) => {
        const inserted = node.expressions[index]
        return [value.cooked ?? '', ...(inserted ? [toTemplatePart(inner(inserted))] : [])]
      })
      return parts.find(isUnknown) ?? joinTexts(parts, '', run)
    }
    case 'Identifier': {
      const found = findName(scope, node.name)
      if (found) return found()
      return Object.hasOwn(constants, node.name) ? constants[node.name] : unknown(`the name ${node.name}`)
    }
    case 'ArrayExpression': {
      chargeSize(run.budget, node.elements.length)
      return node.elements.flatMap((element): readonly Value[] => {
        if (element?.type !== 'SpreadElement') return [element ? inner(element) : undefined]
        const spread = inner(element.argument)
        if (isList(spread)) chargeSize(run.budget, spread.length)
        if (isUnknown(spread)) return [{ ...spread, isSpread: true }]
        return isList(spread) ? spread : []
      })
    }
    case 'ObjectExpression': {
      const fields = new Map<string, Value>()
      chargeSize(run.budget, node.properties.length)
      for (const property of node.properties) {
        if (property.type === 'SpreadElement') {
          const spread = inner(property.argument)
          if (isFields(spread)) chargeSize(run.budget, spread.size)
          if (isFields(spread)) for (const [key, value] of spread) fields.set(key, value)
          if (isUnknown(spread) && run.isLenient) fields.set(`...${spread.reason}`, { ...spread, isSpread: true })
          continue
        }
        const { key, computed, value } = property
        const name = computed ? inner(key as Expression) : readKey({ key: key as Expression, computed })
        if (property.kind === 'init' && (typeof name === 'string' || typeof name === 'number'))
          fields.set(String(name), inner(value as Expression))
      }
      return fields
    }
    case 'MemberExpression': {
      if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') return unknown('a class')
      const owner = inner(node.object)
      if ((owner === undefined || owner === null) && isOptional(node)) return undefined
      const key = node.computed ? inner(node.property) : node.property.type === 'Identifier' ? node.property.name : null
      return isUnknown(owner) ? unknown(readName(node) ?? owner.reason) : readMember(owner, key)
    }
    case 'ConditionalExpression': {
      const test = inner(node.test)
      return isUnknown(test) ? test : inner(isTrue(test) ? node.consequent : node.alternate)
    }
    case 'LogicalExpression': {
      const left = inner(node.left)
      if (isUnknown(left)) return run.isLenient && node.operator !== '&&' ? inner(node.right) : left
      const isLeft =
        node.operator === '??' ? left !== null && left !== undefined : isTrue(left) === (node.operator === '||')
      return isLeft ? left : inner(node.right)
    }
    case 'BinaryExpression':
      if (node.left.type === 'PrivateIdentifier') return unknown('a class')
      return applyBinary(node.operator, inner(node.left), inner(node.right), run)
    case 'UnaryExpression':
      return applyUnary(node.operator, inner(node.argument))
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return makeFunction(node, 'a function', scope, run)
    case 'CallExpression':
      return evaluateCall(node as CallExpression, scope, run)
    case 'ChainExpression':
      return inner(node.expression)
    case 'AwaitExpression':
      return inner(node.argument)
    case 'ImportExpression': {
      const load = findName(scope, importName)?.()
      return isCallable(load) ? load.call([inner(node.source)]) : unknown('an import')
    }
    default:
      return evaluateOther(node, scope, run)
  }
}

const evaluateOther = (node: Expression, scope: Scope, run: Run): Value => {
  const { type, expression } = node as Wrapped
  if (type === 'JSXElement' || type === 'JSXFragment')
    return evaluateJsx(node as unknown as JSXElement | JSXFragment, scope, run)
  if (/^TS(As|Satisfies|NonNull)Expression$|^TSTypeAssertion$|^ParenthesizedExpression$/.test(type) && expression)
    return evaluate(expression, scope, run)
  return unknown(`${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`)
}

/** A template literal shows `null` and `undefined`, unlike `join`. */
const toTemplatePart = (value: Value): Value => (value === null || value === undefined ? String(value) : value)

const isOptional = (node: Node, depth = 0): boolean =>
  depth < maxDepth &&
  ((node.type === 'MemberExpression' && (node.optional || isOptional(node.object, depth + 1))) ||
    (node.type === 'CallExpression' && (node.optional || isOptional(node.callee, depth + 1))))

const evaluateCall = (node: CallExpression, scope: Scope, run: Run): Value => {
  const { callee } = node
  const listArguments = () =>
    node.arguments.flatMap((argument): readonly Value[] => {
      if (argument.type !== 'SpreadElement') return [evaluate(argument, scope, run)]
      const spread = evaluate(argument.argument, scope, run)
      if (isList(spread)) chargeSize(run.budget, spread.length)
      return isList(spread) ? spread : [isUnknown(spread) ? spread : unknown('a spread of no list')]
    })
  if (callee.type === 'Super') return unknown('a class')
  const name = readName(callee)
  const listed = name !== null && !findName(scope, name.split('.')[0]!) ? findStatic(name) : undefined
  if (listed) return listed(listArguments(), run)
  const missing = () => {
    for (const argument of run.isLenient ? node.arguments : []) {
      const value = argument.type === 'SpreadElement' ? unknown('a spread') : evaluate(argument, scope, run)
      // The function of `files.map(…)` gives an entry, not the list.
      if (!isUnknown(value) && !(callee.type === 'MemberExpression' && isCallable(value))) return value
    }
    return unknown(`a call of ${name ?? 'something'}()`)
  }
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super') {
    const owner = evaluate(callee.object, scope, run)
    if ((owner === undefined || owner === null) && isOptional(callee)) return undefined
    if (isUnknown(owner) && findName(scope, name?.split('.')[0] ?? '') && !run.isLenient) return owner
    const { property } = callee
    const key = callee.computed ? null : property.type === 'Identifier' ? property.name : null
    if (key === null || isUnknown(owner)) return missing()
    const own = isFields(owner) ? owner.get(key) : undefined
    if (isCallable(own)) return own.call(listArguments())
    const result = isFields(owner) ? unknown('') : callMethod(owner, key, listArguments(), run)
    return isUnknown(result) && (run.isLenient || result.reason === '') ? missing() : result
  }
  const called = evaluate(callee, scope, run)
  if ((called === undefined || called === null) && isOptional(node)) return undefined
  if (isUnknown(called) && name !== null && findName(scope, name) && !run.isLenient) return called
  return isCallable(called) ? called.call(listArguments()) : missing()
}
