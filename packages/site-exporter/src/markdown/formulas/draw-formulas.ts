import type { Element, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import katex from 'katex'
import { readClasses } from '#markdown/components/utilities.ts'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'
import type { Note } from '#markdown/page-notes.ts'
import { maxFormula } from './formula-syntax.ts'

/** Limits for one page; the remaining formulas stay TeX. */
const limits = { formulas: 2_000, htmlLength: 4_000_000 }

/** Start of every drawn formula in HTML. Source text cannot contain it, because `<` is escaped there. */
export const formulaMark = '<span class="katex'

/** Draws formulas as HTML and MathML. A formula that cannot be drawn stays TeX and is reported. */
export const drawFormulas = (tree: Root, note: Note): void => {
  const budget = { ...limits }
  let undrawn = 0
  walkTree(tree, 'element', (node, index, parent) => {
    const [only] = node.children
    const isBlock = node.tagName === 'pre' && node.children.length === 1 && only?.type === 'element' && isTex(only)
    if ((!isBlock && !isTex(node)) || !parent || index === undefined) return undefined
    const tex = toString(node)
      .trim()
      .replace(/^`([^`]+)`$/, '$1')
    if (budget.formulas-- <= 0 || budget.htmlLength <= 0 || tex.length > maxFormula) undrawn += 1
    else {
      const html = drawFormula(tex, isBlock || node.properties['dataMeta'] === 'display', note)
      if (html !== null) parent.children[index] = { type: 'raw', value: html }
      budget.htmlLength -= html?.length ?? 0
    }
    return [SKIP, index + 1]
  })
  if (undrawn > 0) note('left-out', `the drawing of ${undrawn} formulas: the page has too many, or they are too long`)
}

const isTex = (node: Element) => node.tagName === 'code' && readClasses(node).includes('language-math')

const drawFormula = (tex: string, displayMode: boolean, note: Note): string | null => {
  const { warn } = console
  try {
    // oxlint-disable-next-line no-console -- KaTeX warns of each letter whose size it doesn't know, and draws it
    console.warn = () => undefined
    // Macros apply to a single formula. Throws for links, pictures and foreign attributes, which would be shown in red.
    const rules = { output: 'htmlAndMathml', throwOnError: true, strict: 'ignore', trust: refuseCommand } as const
    return katex.renderToString(tex, { ...rules, displayMode, maxSize: 50, maxExpand: 500, macros: {} })
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    const cause = reason.replace(/^KaTeX parse error: | at position \d+:.*| at end of input:.*/g, '')
    note('left-out', `the drawing of a formula, which stays TeX: ${cause}`.slice(0, 300))
    return null
  } finally {
    // oxlint-disable-next-line no-console -- as it was
    console.warn = warn
  }
}

const refuseCommand = ({ command }: { command: string }): never => {
  throw new Error(`${command} is not allowed`)
}
