import type { Element, Root } from 'hast'
import { walkTree } from '#markdown/walk-tree.ts'
import type { Note } from '#markdown/page-notes.ts'

const dotted = String.raw`\]\[((?:[A-Za-z_]\w{0,100}\.){1,20}\w{1,100})?\]`
/** `[text][package.Class]` and `[name][]`. */
const whole = new RegExp(String.raw`\[([^\][\n]{1,300})${dotted}`, 'g')
/** The same around an element, such as inline code: what stands before it, and after it. */
const [opening, closing] = [/\[([^\][]*)$/, new RegExp(`^([^\\][]*)${dotted}`)]

/** Unwraps references that Markdown has no definition for, because MkDocs makes their targets from Python code. */
export const unwrapPythonReferences = (tree: Root, note: Note): void => {
  let isFound = false
  walkTree(tree, 'element', (node) => {
    if (/^(code|pre|script|style)$/.test(node.tagName)) return
    isFound = unwrapIn(node) || isFound
  })
  if (isFound) note('left-out', 'links to the reference of Python code, which its tool makes: their texts stay')
}

const unwrapIn = ({ children }: Element): boolean => {
  let isFound = false
  for (const [index, child] of children.entries()) {
    if (child.type !== 'text') continue
    const [before, element] = [children[index - 2], children[index - 1]]
    const end = closing.exec(child.value)
    const start = before?.type === 'text' && element?.type === 'element' ? opening.exec(before.value) : null
    const isName = end?.[2] !== undefined || (end?.[1] === '' && start?.[1] === '')
    if (before?.type === 'text' && start !== null && end !== null && isName) {
      isFound = true
      before.value = before.value.slice(0, start.index) + start[1]
      child.value = end[1] + child.value.slice(end[0].length)
    }
    const text = child.value.replace(whole, (reference, words: string, name: string | undefined) =>
      name !== undefined || /^[A-Za-z_][\w.]*$/.test(words) ? words : reference,
    )
    isFound ||= text !== child.value
    child.value = text
  }
  return isFound
}
