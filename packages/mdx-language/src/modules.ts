import type { Expression, ImportDeclaration, Node, Program } from 'estree'
import { declareNames, makeFunction } from './blocks.ts'
import { evaluate } from './evaluate.ts'
import type { Run } from './run.ts'
import { createScope, importName, evaluateOnce, type Scope } from './scope.ts'
import { readName as readPath } from './patterns.ts'
import { callable, isFields, unknown, type Value } from './values.ts'

/** Exports of another file by name, including `default`. Null if there is no such file. */
export type Resolve = (specifier: string) => ReadonlyMap<string, () => Value> | null

export type ModuleScope = { scope: Scope; exports: Map<string, () => Value>; missing: ImportDeclaration[] }

export const readModule = (
  programs: readonly Program[],
  outer: Scope | null,
  resolve: Resolve,
  run: Run,
): ModuleScope => {
  const scope = createScope(outer)
  const exports = new Map<string, () => Value>()
  const missing: ImportDeclaration[] = []
  const load = ([specifier]: readonly Value[]): Value => {
    const found = typeof specifier === 'string' ? resolve(specifier) : null
    return found ? toNamespace(found) : unknown('an import of something else')
  }
  scope.names.set(importName, () => callable('import', load))
  const exportNames = (node: Node) => {
    const before = new Set(scope.names.keys())
    declareNames(node, scope, run)
    for (const [name, value] of scope.names) if (!before.has(name)) exports.set(name, value)
  }
  for (const node of programs.flatMap(({ body }) => body)) {
    if (node.type === 'ImportDeclaration') {
      if ((node as { importKind?: string }).importKind === 'type') continue
      const found = resolve(String(node.source.value))
      if (!found) missing.push(node)
      else importNames(node, found, scope)
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) exportNames(node.declaration)
      const from = node.source ? resolve(String(node.source.value)) : null
      for (const { local, exported } of node.specifiers) {
        const [inner, outside] = [readName(local), readName(exported)]
        exports.set(outside, () => (from ? from.get(inner)?.() : scope.names.get(inner)?.()))
      }
    } else if (node.type === 'ExportAllDeclaration') {
      const from = resolve(String(node.source.value))
      if (from && node.exported) exports.set(readName(node.exported), () => toNamespace(from))
      else for (const [name, value] of from ?? []) if (name !== 'default') exports.set(name, value)
    } else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node
      if (declaration.type === 'FunctionDeclaration') {
        if (declaration.id) declareNames(declaration as Node, scope, run)
        exports.set('default', () =>
          makeFunction(declaration as Parameters<typeof makeFunction>[0], 'default', scope, run),
        )
      } else if (declaration.type !== 'ClassDeclaration')
        exports.set(
          'default',
          evaluateOnce('default', () => evaluate(declaration, scope, run)),
        )
    } else if (node.type === 'ExpressionStatement') readAssignment(node.expression, scope, exports, run)
    else declareNames(node, scope, run)
  }
  return { scope, exports, missing }
}

/** A name that is assigned again has no single value. `module.exports = x` exports `x`. */
const readAssignment = (node: Node, scope: Scope, exports: ModuleScope['exports'], run: Run) => {
  if (node.type !== 'AssignmentExpression') return
  const { left, right } = node
  if (left.type === 'Identifier') scope.names.set(left.name, () => unknown(`${left.name}, which changes`))
  const [, whole, name] =
    /^(?:(module\.exports)|(?:module\.)?exports\.(\w+))$/.exec(readPath(left as Expression) ?? '') ?? []
  const exported = whole === undefined ? name : 'default'
  if (exported !== undefined)
    exports.set(
      exported,
      evaluateOnce(exported, () => evaluate(right, scope, run)),
    )
}

const readName = (node: { type: string; name?: string; value?: unknown }) => node.name ?? String(node.value)

export const toNamespace = (found: ReadonlyMap<string, () => Value>): Value =>
  new Map([...found].map(([key, value]) => [key, value()]))

const importNames = (node: ImportDeclaration, found: ReadonlyMap<string, () => Value>, scope: Scope) => {
  for (const specifier of node.specifiers) {
    const { name } = specifier.local
    const imported = specifier.type === 'ImportSpecifier' ? readName(specifier.imported) : 'default'
    scope.names.set(name, () => {
      if (specifier.type === 'ImportNamespaceSpecifier') return toNamespace(found)
      return found.has(imported) ? found.get(imported)!() : unknown(`${imported}, which the file does not export`)
    })
  }
}

export const exportData = (value: Value): ReadonlyMap<string, () => Value> =>
  new Map([...(isFields(value) ? value : []), ['default', value] as const].map(([key, item]) => [key, () => item]))
