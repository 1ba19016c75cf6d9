import { posix } from 'node:path'
import { isMap, isPair, isScalar, parseDocument, visit, type Node, type YAMLMap } from 'yaml'
import { applyEdits, type Edit } from '#recipes/docs/pages.ts'
import type { Move } from './move-links.ts'
import { redirectEdits } from './redirects.ts'

/** The text of a docs.json after a move, and how many of its entries and links lead to the page. */
export type DocsJsonMove = { text: string; entries: number }

/** Keys whose value is an address of the site. */
const addresses = /^(href|url|destination|to)$/

/**
 * Changes `docs.json` (or `mint.json`) for a moved page: navigation, links, and a redirect from the old address. Keeps every other
 * character. Throws with a sentence when the change is ambiguous.
 */
export const moveInDocsJson = (text: string, file: string, move: Move): DocsJsonMove => {
  const document = parseJson(text, file)
  const root = posix.dirname(file) === '.' ? '' : posix.dirname(file)
  const edits: Edit[] = []
  visit(document, (key, node, path) => {
    if (!isScalar(node) || typeof node.value !== 'string' || key === 'key') return
    const keys = path.flatMap((part) => (isPair(part) && isScalar(part.key) ? [String(part.key.value)] : []))
    // Redirects are looked at as a whole.
    if (keys[0] === 'redirects' && keys.at(-1) === 'source') return
    const isEntry = keys[0] === 'navigation' && (typeof key === 'number' || keys.at(-1) === 'root')
    if (!isEntry && !(addresses.test(keys.at(-1) ?? '') && node.value.startsWith('/'))) return
    const entry = moveEntry(node.value, root, move)
    if (entry !== null) edits.push(replaceNode(node, entry))
  })
  const entries = edits.length
  const map = document.contents
  if (!isMap(map)) throw new Error(cannot(file))
  edits.push(
    ...redirectEdits(map as YAMLMap<Node, Node>, text, {
      from: toAddress(move.from, root),
      to: toAddress(move.to, root),
      file,
    }),
  )
  // Of two edits at one place, the later one wins, because it covers the redirect as a whole.
  const result = applyEdits(text, [...new Map(edits.map((edit) => [edit.start, edit])).values()])
  parseJson(result, file)
  return { text: result, entries }
}

const replaceNode = (node: Node, value: string): Edit => {
  const [start, end] = node.range ?? [0, 0]
  return { start, end, text: JSON.stringify(value) }
}

/** Parses JSON as YAML, which keeps positions. */
const parseJson = (text: string, file: string) => {
  try {
    JSON.parse(text)
  } catch {
    throw new Error(`${file} is no JSON. Nothing was moved.`)
  }
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, logLevel: 'silent' })
  if (document.errors.length > 0) throw new Error(cannot(file))
  return document
}

const cannot = (file: string) => `${file} cannot be changed with certainty. Nothing was moved.`

/** New text of an entry that leads to the page, in its old style. Null for any other entry. */
const moveEntry = (entry: string, root: string, { before, after, from, to }: Move): string | null => {
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(entry) ?? []
  const findFile = (entry: string, space: typeof before) => space.fileAt(posix.join(root, entry.replace(/^\/+/, '')))
  if (path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path) || findFile(path, before) !== from) return null
  const bare = posix.relative(root, to).replace(/\.mdx?$/i, '')
  const ending = /\.mdx?$/i.exec(path)?.[0] ?? ''
  const isFolder = !/(^|\/)(index|readme)(\.mdx?)?$/i.test(path)
  const short = isFolder ? bare.replace(/(^|\/)(index|readme)$/i, '') : bare
  const ways = [short, bare].map((way) => (path.startsWith('/') ? '/' : '') + way + ending)
  const way = ways.find((one) => findFile(one, after) === to)
  if (way === undefined)
    throw new Error(`Its entry ${JSON.stringify(entry)} cannot be written anew. Nothing was moved.`)
  return way + tail
}

/** Address of a page on its site. */
const toAddress = (file: string, root: string) =>
  `/${posix
    .relative(root, file)
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)(index|readme)$/i, '')}`
