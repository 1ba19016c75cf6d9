import { count } from '@docket/sources/text'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { frontMatterLength, parsePage, toSpan } from '#recipes/docs/page-tree.ts'
import { applyEdits, changePages, type Edit } from '#recipes/docs/pages.ts'
import type { RecipeWork, Step } from '#recipes/recipe.ts'
import { formatLines, leftAlone } from '#recipes/report-lines.ts'

/** Removes blanks at line ends, unifies line ends to the more frequent kind, and ends the page with one line end. */
export const tidyWhitespace: Step = async (work) => {
  const { changed, report } = await reformatPages(work, tidy)
  const done = changed === 0 ? 'No whitespace to tidy.' : `Tidied whitespace in ${count(changed, 'page')}.`
  return report(done)
}

/** Reformats every page that means the same afterwards; `report` ends the first line with the pages left alone. */
export const reformatPages = async (work: RecipeWork, reformat: (text: string, page: string) => string) => {
  const unsure: string[] = []
  const { changed, left } = await changePages(work, (text, page) => {
    const reformatted = reformat(text, page)
    if (reformatted === text || isSameMeaning(text, reformatted, page)) return reformatted
    unsure.push(page)
    return text
  })
  const report = (done: string) => [
    done + leftAlone(left),
    ...formatLines('Left alone, because it may change the meaning', unsure),
  ]
  return { changed, report }
}

/** Tidies whitespace outside of front matter, code and HTML. */
export const tidy = (text: string, page: string): string => {
  const tree = parsePage(text, page)
  if (text === '' || tree === null) return text
  const untouched: { start: number; end: number }[] = [{ start: 0, end: frontMatterLength(text) }]
  visit(tree, (node) => {
    // Blanks at the end of a line may be a line break.
    if (/^(break|code|inlineCode|html|mdx.*(Expression|Esm))$/.test(node.type)) untouched.push(toSpan(node))
  })
  const trailing = [...text.matchAll(/(?<![ \t])[ \t]+(?=\r?\n|$)/g)]
  const edits = trailing
    .map((match): Edit => ({ start: match.index, end: match.index + match[0].length, text: '' }))
    .filter(({ start, end }) => !untouched.some((one) => start < one.end && end > one.start))
  const bare = applyEdits(text, edits)
  const [lines, windows] = [bare.split('\n').length - 1, bare.split('\r\n').length - 1]
  const ending = windows * 2 > lines ? '\r\n' : '\n'
  const uniform = windows === 0 || windows === lines ? bare : bare.replaceAll(/\r?\n/g, ending)
  return uniform.trim() === '' ? uniform : `${uniform.replace(/[ \t\r\n]+$/, '')}${ending}`
}

/**
 * True when two versions of a page have the same syntax tree, apart from positions and blanks at line ends. False when
 * one does not parse.
 */
export const isSameMeaning = (before: string, after: string, page: string): boolean => {
  const [first, second] = [parsePage(before, page), parsePage(after, page)]
  return first !== null && second !== null && serializeTree(first) === serializeTree(second)
}

const serializeTree = (tree: Root) =>
  JSON.stringify(tree, (key, value: unknown) => {
    // MDX keeps positions of expressions in `data`.
    if (key === 'position' || key === 'data') return undefined
    return typeof value === 'string' ? value.replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n') : value
  })
