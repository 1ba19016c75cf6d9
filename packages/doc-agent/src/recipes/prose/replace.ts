import { count, cut } from '@docket/sources/text'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import {
  measureFrontMatter,
  parsePage,
  toSpan,
  changeFiles,
  type Edit,
  listScope,
  noteLimit,
} from '#recipes/docs/pages.ts'
import type { MaintenanceOrder } from '#recipes/order.ts'
import { type Step, noteUnread } from '#recipes/recipe.ts'

type Order = Extract<MaintenanceOrder, { action: 'replace' }>
type Span = { start: number; end: number }

/** Replaces a text on pages, as it is written. Leaves code, addresses and front matter alone unless the order includes them. */
export const replaceText =
  (order: Order): Step =>
  async (work) => {
    const { find, replacement, includeCode } = order
    const pattern = toPattern(order)
    let inCode = 0
    const changed = await changeFiles(work, await listScope(work), (text, page) => {
      const matches = [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
        start: index,
        end: index + match.length,
      }))
      if (matches.length === 0) return { edits: [] }
      const tree = includeCode ? null : parsePage(text, page)
      if (tree === null && !includeCode) return null
      const outside = tree === null ? matches : leaveOutSpans(matches, listCode(tree, text))
      inCode += matches.length - outside.length
      return { edits: outside.map((span): Edit => ({ ...span, text: replacement })) }
    })
    const [old, fresh] = [cut(find, 80), cut(replacement, 80)]
    const { changes, files } = changed
    const done = replacement === '' ? `Removed “${old}”` : `Replaced “${old}” with “${fresh}”`
    const spared = inCode === 0 ? '' : ` ${count(inCode, 'occurrence')} in code or addresses left alone.`
    return {
      summary:
        (changes.count === 0
          ? `“${old}” is on no page${spared === '' ? '' : ' outside of code'}.`
          : `${done} ${count(changes.count, 'time')} in ${count(files, 'page')}.`) + spared,
      files,
      changes,
      findings: changed.findings,
      notes: [...noteLimit(changed, work.limit), ...noteUnread(changed)],
    }
  }

const toPattern = ({ find, wholeWords, matchCase }: Order) => {
  // Escapes the text, which is not a pattern. Line ends match in every style.
  const text = find.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/\r?\n/g, '\\r?\\n')
  const [before, after] = wholeWords ? ['(?<![\\p{L}\\p{N}_])', '(?![\\p{L}\\p{N}_])'] : ['', '']
  return new RegExp(before + text + after, matchCase ? 'gu' : 'giu')
}

const listCode = (tree: Root, text: string): Span[] => {
  const spans: Span[] = [{ start: 0, end: measureFrontMatter(text) }]
  visit(tree, (node) => {
    const span = toSpan(node)
    if (/^(code|inlineCode|html|definition|mdxjsEsm|mdx(Flow|Text)Expression)$/.test(node.type)) spans.push(span)
    else if (/^(link|image|mdxJsx\w+)$/.test(node.type)) {
      // The visible text is inside; the rest are addresses and tags.
      const children = 'children' in node ? node.children : []
      const [first, last] = [children[0], children.at(-1)]
      if (first && last) spans.push({ ...span, end: toSpan(first).start }, { ...span, start: toSpan(last).end })
      else spans.push(span)
    }
  })
  return spans.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)
}

const leaveOutSpans = (matches: readonly Span[], code: readonly Span[]): Span[] => {
  const outside: Span[] = []
  // Ends of the spans so far, because spans may enclose one another.
  let [next, end] = [0, 0]
  for (const match of matches) {
    for (; next < code.length && code[next]!.start < match.end; next += 1) end = Math.max(end, code[next]!.end)
    if (end <= match.start) outside.push(match)
  }
  return outside
}
