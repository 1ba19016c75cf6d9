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
import { bindPattern, readName, type Evaluate } from './patterns.ts'
import type { Run } from './run.ts'
import { createScope, evaluateOnce, type Scope } from './scope.ts'
import { isUnknown, unknown, type Callable, type Value } from './values.ts'

export type MakeFunction = (
  node: FunctionDeclaration | FunctionExpression | ArrowFunctionExpression,
  name: string,
  scope: Scope,
  run: Run,
) => Callable

export const declareNames = (
  node: Node,
  scope: Scope,
  run: Run,
  evaluate: Evaluate,
  makeFunction: MakeFunction,
): void => {
  spendSteps(run.budget)
  if (node.type === 'FunctionDeclaration' && node.id)
    scope.names.set(node.id.name, () => makeFunction(node, node.id!.name, scope, run))
  if (node.type !== 'VariableDeclaration') return
  for (const { id, init } of node.declarations) {
    const name = id.type === 'Identifier' ? id.name : 'a pattern'
    const value =
      init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
        ? () => makeFunction(init, name, scope, run)
        : () => (init ? evaluate(init, scope, run) : undefined)
    bindPattern(id, evaluateOnce(name, value), scope, run, evaluate)
  }
}

const stillRunning = Symbol('still running')

/** Evaluates the body of a function: constants, conditions and `return`. The result is unknown if a statement may change something. */
export const runBody = (
  body: readonly (Statement | Directive)[],
  outer: Scope,
  run: Run,
  evaluate: Evaluate,
  makeFunction: MakeFunction,
): Value => {
  const block = (statements: readonly Node[], around: Scope): Value | typeof stillRunning => {
    const scope = createScope(around)
    for (const statement of statements) declareNames(statement, scope, run, evaluate, makeFunction)
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
        return node.argument ? evaluate(node.argument, scope, run) : undefined
      case 'BlockStatement':
        return block(node.body, scope)
      case 'IfStatement': {
        const test = evaluate(node.test, scope, run)
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
