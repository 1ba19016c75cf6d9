import type { Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { readClasses } from '#markdown/components/utilities.ts'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'
import type { Words } from '#site/words.ts'
import type { Note } from './page-notes.ts'

/** Maximum length of a diagram that a browser draws. Characters. */
const maxText = 50_000
/** Diagram types that the bundled build of Mermaid lacks. */
const undrawn = /^(mindmap|architecture(-beta)?|zenuml)\b/

/** Start of every diagram in HTML. Source text cannot contain it, because `<` is escaped there. */
export const diagramMark = '<figure class="diagram">'

/** Turns Mermaid code into figures, which show its text until the script of the page draws them. */
export const markDiagrams = (tree: Root, note: Note, { content }: Words): void => {
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName !== 'pre' || !parent || index === undefined) return undefined
    const [code] = node.children
    if (code?.type !== 'element' || !readClasses(code).includes('language-mermaid')) return SKIP
    const text = toString(code).trimEnd()
    for (const [, name] of String(code.properties['dataMeta'] ?? '').matchAll(/(?:^|\s)(actions|placement)=/g))
      note('left-out', `${name} of a diagram: it has no buttons`)
    const kind = undrawn.exec(removeSettings(text))?.[1]
    if (kind !== undefined || text.length > maxText) {
      note(
        'left-out',
        `the drawing of a diagram, which stays text: ${kind ?? `it has more than ${maxText} characters`}`,
      )
      return SKIP
    }
    parent.children[index] = h('figure', { className: ['diagram'] }, [
      h('figcaption', content.mermaid),
      h('pre', { tabIndex: 0 }, text),
    ])
    return [SKIP, index + 1]
  })
}

/** Text without the front matter, directives and comments before the diagram type. */
const removeSettings = (text: string) =>
  text
    .replace(/^\s*---\r?\n[\s\S]*?\r?\n---[ \t]*\r?\n/, '')
    .split('\n')
    .find((line) => line.trim() !== '' && !line.trim().startsWith('%%'))
    ?.trim() ?? ''
