import { posix } from 'node:path'
import { readFrontMatter } from '#source/front-matter.ts'
import { limits } from '#source/limits.ts'
import type { SourceFolder } from '#source/source-folder.ts'

const maxDepth = 4
const imported = /^import\s+([A-Z]\w*)\s+from\s+["']([^"'\n]+\.mdx?)["'];?[ \t]*$/gm

/** Puts the Markdown pieces that a page imports where it uses them (`<Name />`), as text: nothing is run. Other imports stay. */
export const includeSnippets = async (folder: SourceFolder, file: string, body: string, depth = 0): Promise<string> => {
  if (depth >= maxDepth || !body.includes('import ')) return body
  let text = body
  for (const [line, name = '', from = ''] of body.matchAll(imported)) {
    const path = from.startsWith('/') ? posix.normalize(from).slice(1) : posix.join(posix.dirname(file), from)
    const content = await folder.read(path, limits.pageBytes)
    if (!content) continue
    const piece = await includeSnippets(folder, path, readFrontMatter(content.toString('utf8')).body, depth + 1)
    const use = new RegExp(`^([ \\t]*)<${name}(?:\\s[^<>]*)?(?:/>|>\\s*</${name}>)`, 'gm')
    // One page must not multiply itself beyond what a page may be.
    const grown = text.replace(line, '').replace(use, (_, indent: string) => indentBy(indent, piece.trim()))
    if (grown.length <= limits.pageBytes) text = grown
  }
  return text
}

const indentBy = (indent: string, text: string) => text.replaceAll(/^(?=.)/gm, indent)
