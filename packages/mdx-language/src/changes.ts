import type { Node } from 'estree'
import { readName } from './patterns.ts'

const maxDepth = 100
/** Methods that change their list or map. */
const mutation = /^(push|unshift|pop|shift|splice|set|add|delete|fill)$/

/** Names that statements change after their declaration. They have no one value. Functions change nothing before they are called. */
export const findChanged = (body: readonly Node[]): ReadonlySet<string> => {
  const changed = new Set<string>()
  const add = (node: unknown) => {
    const name = readName(node as Parameters<typeof readName>[0])?.split('.')[0]
    if (name !== undefined) changed.add(name)
  }
  const walk = (value: unknown, depth: number) => {
    if (depth > maxDepth || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1)
      return
    }
    const node = value as Node
    if (node.type === 'AssignmentExpression') add(node.left)
    if (node.type === 'UpdateExpression') add(node.argument)
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression' &&
      node.callee.property.type === 'Identifier' &&
      mutation.test(node.callee.property.name)
    )
      add(node.callee.object)
    if (node.type === 'FunctionDeclaration') return
    for (const item of Object.values(node)) walk(item, depth + 1)
  }
  walk(body, 0)
  return changed
}
