import { posix } from 'node:path'
import { readFrontMatter } from '#source/front-matter.ts'
import { limits } from '#source/limits.ts'
import type { SourceFolder } from '#source/source-folder.ts'

const maxDepth = 4
const imported = /^import\s+(?:([A-Z]\w*)|\{([^{}\n]+)\})\s+from\s+["']([^"'\n]+\.mdx?)["'];?[ \t]*$/gm
const constant =
  /^export\s+const\s+([A-Za-z_]\w*)\s*=\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`|(-?\d+(?:\.\d+)?));?[ \t]*$/gm
const attribute =
  /([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`|(-?\d+(?:\.\d+)?))\s*\})/g

/**
 * Puts the Markdown pieces that a page imports where it uses them (`<Name word="x" />`, with `{word}` in the piece), and constants of
 * it and of what it imports, as text: nothing is run. Other imports stay.
 */
export const includeSnippets = async (folder: SourceFolder, file: string, body: string, depth = 0): Promise<string> => {
  if (depth >= maxDepth || !/^(?:import|export) /m.test(body)) return body
  let text = body
  const values = constantsOf(body)
  for (const [line, name, names, from = ''] of body.matchAll(imported)) {
    const path = from.startsWith('/') ? posix.normalize(from).slice(1) : posix.join(posix.dirname(file), from)
    const content = await folder.read(path, limits.pageBytes)
    if (!content) continue
    const inner = readFrontMatter(content.toString('utf8')).body
    if (names !== undefined) {
      const exported = constantsOf(inner)
      const wanted = names.split(',').map((entry) => entry.trim())
      for (const entry of wanted) if (exported.has(entry)) values.set(entry, exported.get(entry)!)
      if (wanted.every((entry) => exported.has(entry))) text = text.replace(line, '')
      continue
    }
    const piece = (await includeSnippets(folder, path, inner, depth + 1)).trim()
    const use = new RegExp(`^([ \\t]*)<${name}(\\s(?:[^<>"']|"[^"]*"|'[^']*')*)?(?:/>|>\\s*</${name}>)`, 'gm')
    // One page must not multiply itself beyond what a page may be.
    const grown = text
      .replace(line, '')
      .replace(use, (_, indent: string, attributes = '') =>
        indentBy(indent, withValues(piece, attributesOf(String(attributes)))),
      )
    if (grown.length <= limits.pageBytes) text = grown
  }
  const filled = withValues(text, values)
  return filled.length <= limits.pageBytes ? filled : text
}

const constantsOf = (body: string) =>
  new Map(
    [...body.matchAll(constant)].map(([, name = '', ...values]) => [
      name,
      values.find((value) => value !== undefined)!,
    ]),
  )

const attributesOf = (text: string) =>
  new Map(
    [...text.matchAll(attribute)].map(([, name = '', ...values]) => [
      name,
      values.find((value) => value !== undefined)!,
    ]),
  )

/** `{name}` and `{props.name}` outside code blocks become the value. What the value would mean in Markdown is escaped. */
const withValues = (text: string, values: ReadonlyMap<string, string>) =>
  values.size === 0
    ? text
    : text.replace(
        /(^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\2)|(?<!=\s?)\{\s*(?:props\.)?([A-Za-z_]\w*)\s*\}/gm,
        (whole, code: string | undefined, _, name: string) =>
          code === undefined && values.has(name) ? values.get(name)!.replace(/[\\`*_{}[\]<>]/g, '\\$&') : whole,
      )

const indentBy = (indent: string, text: string) => text.replaceAll(/^(?=.)/gm, indent)
