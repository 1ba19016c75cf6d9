import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import type { Note } from '#markdown/page-notes.ts'
import type { Dialect } from '#markdown/slugs.ts'

/** Syntax that an export shows in another way than the tool of the site, or as text. */
const gaps: readonly [what: string, pattern: RegExp, tools?: string][] = [
  [
    'a command of a template is text on the page',
    /(?<!\\)\{\{[<%][^\n]|(?<!\\)\{%[-+]?\s*[\w/]|^[ \t]*:{3,}[ \t]*\{[^\n}]/gim,
  ],
  [
    'a link of Obsidian or a wiki, whose syntax is not read, is text on the page',
    /(?<![[\\{(=,:] ?)\[\[(?!_?toc_?\]\])[^[\]\n]{1,200}\]\](?![(:])/gi,
  ],
  ['text between single tildes is struck through', /(?<![~\\])~[^\s~][^~\n]{0,200}~(?!~)/g, 'mkdocs vitepress'],
  [
    'a pipe in the code of a table begins a new cell',
    /^[ \t]*\|[^\n`]{0,500}`[^`|\n]{0,200}(?<!\\)\|[^`\n]{0,200}`/gm,
    'mkdocs',
  ],
  [
    '`pathname:///` and `require(…).default` name no file',
    /pathname:\/\/\/|\brequire\(["'][^"'\n]{1,300}["']\)\.default/g,
    'docusaurus',
  ],
]

/** Notes the gaps in the text of a page outside code, with their number and the line of the first one below the front matter. */
export const noteGaps = (body: string, dialect: Dialect, note: Note): void => {
  const wanted = gaps.filter(([, pattern, tools]) => (tools?.includes(dialect) ?? true) && body.search(pattern) >= 0)
  if (wanted.length === 0) return
  const isCode = createCodeLineTest()
  const lines = body.split('\n')
  const text = lines
    .map((line) => (isCode(line) ? '' : /^[ \t]*\|/.test(line) ? line : line.replace(/`[^`]*`/g, '')))
    .join('\n')
  for (const [what, pattern] of wanted) {
    const found = [...text.matchAll(pattern)]
    const line = text.slice(0, found[0]?.index).split('\n').length
    if (found.length > 0) note('not-understood', `${what} (${found.length} times, first in line ${line} of its text)`)
  }
}
