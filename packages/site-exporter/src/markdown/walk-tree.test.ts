import type { Root } from 'hast'
import { h } from 'hastscript'
import { expect, test } from 'vitest'
import { visit } from 'unist-util-visit'
import { CONTINUE, EXIT, SKIP, walkTree } from './walk-tree.ts'

const readTree = (): Root =>
  h(null, [
    h('ul', [h('li', 'one'), h('li', [h('b', 'two'), ' and']), h('li', 'three')]),
    'end',
    h('p', [h('b'), 'last']),
  ])

/** Walks with both functions. Each visitor returns `answer` for the given node. */
const walkBoth = (answer: (name: string, index: number | undefined, siblings: unknown[]) => unknown) =>
  [walkTree, visit].map((walk) => {
    const seen: string[] = []
    const tree = readTree()
    walk(tree, (node, index, parent) => {
      const name = 'tagName' in node ? node.tagName : 'value' in node ? node.value : node.type
      seen.push(`${parent?.type}:${index}:${name}`)
      return answer(name, index, parent?.children ?? []) as undefined
    })
    return { seen, tree }
  })

test('walkTree handles every visitor result as unist-util-visit does', () => {
  const answers: Record<string, Parameters<typeof walkBoth>[0]> = {
    nothing: () => undefined,
    continue: () => CONTINUE,
    skip: (name) => (name === 'ul' ? SKIP : undefined),
    exit: (name) => (name === 'b' ? EXIT : undefined),
    index: (name, index) => (name === 'one' ? index! + 1 : name === 'li' ? 2 + index! : undefined),
    'both, with one more sibling': (name, index, siblings) => {
      if (name !== 'end') return undefined
      siblings.splice(index!, 1, { type: 'text', value: 'new' }, { type: 'text', value: 'newer' })
      return [SKIP, index! + 1]
    },
    'an exit with an index': (name) => (name === 'two' ? [EXIT, 0] : undefined),
  }
  for (const [name, answer] of Object.entries(answers)) {
    const [ours, theirs] = walkBoth(answer)
    expect(ours, name).toEqual(theirs)
    expect(ours!.seen.length, name).toBeGreaterThan(1)
  }
})

test('walkTree visits only nodes of the given type', () => {
  const texts: string[] = []
  walkTree(readTree(), 'text', ({ value }) => void texts.push(value))
  expect(texts).toEqual(['one', 'two', ' and', 'three', 'end', 'last'])
})
