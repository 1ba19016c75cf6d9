import type {
  ArrowFunctionExpression,
  Directive,
  FunctionDeclaration,
  FunctionExpression,
  Node,
  Statement,
} from 'estree'
import { spend } from './budget.ts'
import { isTrue } from './operators.ts'
import { bind, readName, type Evaluate } from './patterns.ts'
import type { Run } from './run.ts'
import { createScope, once, type Scope } from './scope.ts'
import { isUnknown, unknown, type Callable, type Value } from './values.ts'

/** Makes a function of the source callable. */
export type MakeFunction = (
  node: FunctionDeclaration | FunctionExpression | ArrowFunctionExpression,
  name: string,
  scope: Scope,
  run: Run,
) => Callable

/** Adds the names of variables and functions to a scope. */
export const declare = (node: Node, scope: Scope, run: Run, evaluate: Evaluate, makeFunction: MakeFunction): void => {
  spend(run.budget)
  if (node.type === 'FunctionDeclaration' && node.id)
    scope.names.set(node.id.name, () => makeFunction(node, node.id!.name, scope, run))
  if (node.type !== 'VariableDeclaration') return
  for (const { id, init } of node.declarations) {
    const name = id.type === 'Identifier' ? id.name : 'a pattern'
    const value =
      init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
        ? () => makeFunction(init, name, scope, run)
        : () => (init ? evaluate(init, scope, run) : undefined)
    bind(id, once(name, value), scope, run, evaluate)
  }
}

/** Not reached the end by `return`. */
const open = Symbol('open')

/** Evaluates the body of a function: constants, conditions and `return`. A statement that may change something makes it unknown. */
export const runBody = (
  body: readonly (Statement | Directive)[],
  outer: Scope,
  run: Run,
  evaluate: Evaluate,
  makeFunction: MakeFunction,
): Value => {
  const block = (statements: readonly Node[], around: Scope): Value | typeof open => {
    const scope = createScope(around)
    for (const statement of statements) declare(statement, scope, run, evaluate, makeFunction)
    for (const statement of statements) {
      const result = step(statement, scope)
      if (result !== open) return result
    }
    return open
  }
  const step = (node: Node, scope: Scope): Value | typeof open => {
    spend(run.budget)
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the others may change something
    switch (node.type) {
      case 'ReturnStatement':
        return node.argument ? evaluate(node.argument, scope, run) : undefined
      case 'BlockStatement':
        return block(node.body, scope)
      case 'IfStatement': {
        const test = evaluate(node.test, scope, run)
        if (isUnknown(test)) return test
        const branch = isTrue(test) ? node.consequent : node.alternate
        return branch ? block([branch], scope) : open
      }
      case 'VariableDeclaration':
      case 'FunctionDeclaration':
      case 'EmptyStatement':
        return open
      case 'ExpressionStatement':
        return isHarmless(node.expression) ? open : unknown('a statement that may change something')
      default:
        return /^TS(TypeAlias|Interface)/.test(node.type) ? open : unknown(`a statement (${node.type})`)
    }
  }
  const result = block(body, outer)
  return result === open ? undefined : result
}

/** `'use client'`, `useEffect(…)`, `onMounted(…)` and `console.log(…)` change nothing that a page shows first. */
const isHarmless = (node: Node) =>
  node.type === 'Literal' ||
  (node.type === 'CallExpression' &&
    node.callee.type !== 'Super' &&
    /^(React\.)?use[A-Z]\w*$|^on[A-Z]\w*$|^watch(Effect)?$|^console\.\w+$/.test(readName(node.callee) ?? ''))
