import type {
  ArrowFunctionExpression,
  Directive,
  FunctionDeclaration,
  FunctionExpression,
  Node,
  Statement,
} from 'estree'
import { spendSteps } from './budget.ts'
import { isTrue } from './operators.ts'
import { bindPattern, readName } from './patterns.ts'
import { runUnlessActive, type Run } from './run.ts'
import { createScope, evaluateOnce, type Scope } from './scope.ts'
import { isUnknown, unknown, type Callable, type Value } from './values.ts'

type Function = ArrowFunctionExpression | FunctionExpression | FunctionDeclaration

export const declareNames = (node: Node, scope: Scope, run: Run): void => {
  spendSteps(run.budget)
  if (node.type === 'FunctionDeclaration' && node.id)
    scope.names.set(node.id.name, () => makeFunction(node, node.id!.name, scope, run))
  if (node.type !== 'VariableDeclaration') return
  for (const { id, init } of node.declarations) {
    const name = id.type === 'Identifier' ? id.name : 'a pattern'
    const value =
      init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
        ? () => makeFunction(init, name, scope, run)
        : () => (init ? run.evaluate(init, scope) : undefined)
    bindPattern(id, evaluateOnce(name, value), scope, run)
  }
}

const stillRunning = Symbol('still running')

/** Evaluates the body of a function: constants, conditions and `return`. The result is unknown if a statement may change something. */
const runBody = (body: readonly (Statement | Directive)[], outer: Scope, run: Run): Value => {
  const block = (statements: readonly Node[], around: Scope): Value | typeof stillRunning => {
    const scope = createScope(around)
    for (const statement of statements) declareNames(statement, scope, run)
    for (const statement of statements) {
      const result = step(statement, scope)
      if (result !== stillRunning) return result
    }
    return stillRunning
  }
  const step = (node: Node, scope: Scope): Value | typeof stillRunning => {
    spendSteps(run.budget)
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other statements may change something
    switch (node.type) {
      case 'ReturnStatement':
        return node.argument ? run.evaluate(node.argument, scope) : undefined
      case 'BlockStatement':
        return block(node.body, scope)
      case 'IfStatement': {
        const test = run.evaluate(node.test, scope)
        if (isUnknown(test)) return test
        const branch = isTrue(test) ? node.consequent : node.alternate
        return branch ? block([branch], scope) : stillRunning
      }
      case 'VariableDeclaration':
      case 'FunctionDeclaration':
      case 'EmptyStatement':
        return stillRunning
      case 'ExpressionStatement':
        return isHarmless(node.expression) ? stillRunning : unknown('a statement that may change something')
      default:
        return /^TS(TypeAlias|Interface)/.test(node.type) ? stillRunning : unknown(`a statement (${node.type})`)
    }
  }
  const result = block(body, outer)
  return result === stillRunning ? undefined : result
}

/** `'use client'`, `useEffect(…)`, `onMounted(…)` and `console.log(…)` do not affect the initial state of a page. */
const isHarmless = (node: Node) =>
  node.type === 'Literal' ||
  (node.type === 'CallExpression' &&
    node.callee.type !== 'Super' &&
    /^(React\.)?use[A-Z]\w*$|^on[A-Z]\w*$|^watch(Effect)?$|^console\.\w+$/.test(readName(node.callee) ?? ''))

/** Makes a function of the source callable. An asynchronous one returns its value at once. A function cannot call itself, so every call ends. */
export const makeFunction = (node: Function, fallback: string, scope: Scope, run: Run): Callable => {
  const name = ('id' in node && node.id?.name) || fallback
  const call = (args: readonly Value[]): Value => {
    spendSteps(run.budget)
    if (node.generator) return unknown(`the generator ${name}`)
    return runUnlessActive(run, node, name, () => {
      const inside = createScope(scope)
      for (const [index, parameter] of node.params.entries()) {
        if (parameter.type === 'RestElement') bindPattern(parameter.argument, () => args.slice(index), inside, run)
        else bindPattern(parameter, () => args[index], inside, run)
      }
      const { body } = node
      return body.type === 'BlockStatement' ? runBody(body.body, inside, run) : run.evaluate(body, inside)
    })
  }
  return { kind: 'callable', name, call }
}
