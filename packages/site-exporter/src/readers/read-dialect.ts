import { posix } from 'node:path'
import { openGitbook, openIncludes } from '#readers/book/gitbook.ts'
import { readMkdocsText } from '#readers/mkdocs/text.ts'
import type { Note } from '#markdown/page-notes.ts'
import { decodeAddress } from '#site/data.ts'
import { findPath } from '#site/page-paths.ts'
import type { SourcePage } from '#site/source-page.ts'
import { includeFiles } from './includes.ts'
import type { PieceReader } from './piece-reader.ts'
import type { SourceSite } from './source-site.ts'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'

export const readDialect = async (
  site: Pick<SourceSite, 'dialect' | 'aliases' | 'snippets' | 'name' | 'root' | 'pages'>,
  page: Pick<SourcePage, 'file' | 'title'>,
  body: string,
  { reader, note }: { reader: PieceReader; note: Note },
): Promise<string> => {
  if (site.dialect === 'mkdocs') return readMkdocsText(body, page.file, { ...site.snippets, reader, note })
  if (site.dialect === 'book') return readBookText(body, note)
  if (site.dialect === 'gitbook' && body.includes('{%')) {
    const folder = posix.dirname(page.file.slice(site.root.length))
    const findTitle = (address: string) => {
      const path = findPath(posix.join(folder, decodeAddress(address).replace(/[?#].*$/s, '')), (one) =>
        site.pages.has(one),
      )
      return path === undefined ? null : site.pages.get(path)!.title
    }
    return openGitbook(await includeFiles(reader, site.root, page.file, openIncludes(body)), findTitle, note)
  }
  if (site.dialect === 'starlight') return joinPageAliases(titleCodeBlocks(body), site.aliases)
  return joinPageAliases(body, site.aliases)
}

const bookTitle = /(?<!\\)\{\{#title[ \t]{1,20}([^{}\n]{1,500})\}\}\n?/g
const bookPlayground = /(?<!\\)\{\{#playground[ \t]+([^\s{}]{1,500})([^{}\n]{0,200})\}\}/g

/** Removes `{{#title …}}`, which only sets the title in the browser's title bar, and turns `{{#playground file.rs}}` into a code block. */
const readBookText = (body: string, note: Note): string =>
  body
    .replace(bookTitle, (_, text: string) => {
      note('left-out', `its title in the title bar: ${text.trim()}`)
      return ''
    })
    .replace(bookPlayground, (_, file: string) => `\`\`\`rust\n{{#include ${file}}}\n\`\`\``)

/** Rewrites imports from aliases, such as `@site/docs/part.mdx`, to addresses from the root of the source. */
const joinPageAliases = (body: string, aliases: ReadonlyMap<string, string>): string =>
  aliases.size === 0 || !/^import\s/m.test(body)
    ? body
    : body.replace(
        /^(import\s[^\n]{0,500}?from\s+["'])([^"'\n]{1,500})(["'])/gm,
        (whole, before: string, from: string, end: string) => {
          const alias = [...aliases].find(([prefix]) => from.startsWith(prefix))
          return alias ? `${before}/${alias[1]}${from.slice(alias[0].length)}${end}` : whole
        },
      )

const fenceOpening = /^([ \t]*(?:[-*+][ \t]+)?)(`{3,}|~{3,})([\w+#-]{1,40})([^`\n]{0,500})$/
const fileComment = /^[ \t]*(?:\/\/|#|<!--|\/\*)[ \t]*([\w@~./[\]()$-]{3,200})[ \t]*(?:-->|\*\/)?[ \t]*$/
const fileName = /(?:^|\/)[\w@~[\]()$-]*\.[\w.-]{1,20}$/
/** Shell languages, in which such a line is an ordinary comment. */
const terminals = /^(?:ansi|bash|bat|batch|cmd|console|nu|nushell|powershell|ps1?|sh|shell(?:script|session)?|zsh)$/

/** Turns a first-line comment with the file name of a code block into its title. */
export const titleCodeBlocks = (markdown: string): string => {
  if (!/```|~~~/.test(markdown)) return markdown
  const isCode = createCodeLineTest()
  const lines: string[] = []
  let wasCode = false
  let wasTitle = false
  let fence: RegExpExecArray | null = null
  for (const line of markdown.split('\n')) {
    const isInside = isCode(line)
    const name = fence && isInside ? fileComment.exec(line)?.[1] : undefined
    const isBlankAfterTitle = wasTitle && line.trim() === ''
    wasTitle = false
    if (isBlankAfterTitle) continue
    if (fence && name !== undefined && fileName.test(name)) {
      wasTitle = true
      lines[lines.length - 1] = `${fence[1]}${fence[2]}${fence[3]}${fence[4]} title="${name}"`
      fence = null
    } else {
      lines.push(line)
      const start = isInside && !wasCode ? fenceOpening.exec(line) : null
      fence = start && !terminals.test(start[3]!) && !/\btitle=/.test(start[4]!) ? start : null
    }
    wasCode = isInside
  }
  return lines.join('\n')
}
