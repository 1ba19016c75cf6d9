import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { count } from '@docket/sources/text'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { parsePage } from '#recipes/docs/page-tree.ts'
import { applyEdits, changePages, type Edit, isPage, listFiles, readText, writeBytes } from '#recipes/docs/pages.ts'
import { listLinks } from '#recipes/links/page-links.ts'
import { matchEncoding } from '#recipes/links/repair-path.ts'
import { linkSpace, parseAddress } from '#recipes/links/resolve.ts'
import type { RecipeWork, Step } from '#recipes/recipe.ts'
import { formatLines, leftAlone } from '#recipes/report-lines.ts'
import { moveInDocsJson } from './docs-json.ts'
import { type Move, moveLink } from './move-links.ts'
import { resolveMove } from './resolve-move.ts'

/**
 * Moves a page with its links, its places in `docs.json` and book summaries, and a redirect in `docs.json`. Names and leaves ambiguous
 * places; fails, with nothing moved, where content would get lost.
 */
export const movePage =
  (request: { from: string; to: string }): Step =>
  async (work) => {
    const files = await listFiles(work.checkout)
    const names = resolveMove(request, files, work)
    if (names.kind === 'done') return [`There is no page “${request.from}”, and ${names.to} is there: nothing to move.`]
    const { from, to } = names
    const before = linkSpace(files)
    const after = linkSpace([...files.filter((file) => file !== from), to].toSorted())
    const move: Move = { from, to, before, after }
    const site = findSiteFile(move, work)
    const fixed: string[] = []
    const unclear: string[] = []
    const unread: string[] = []
    const { changed, left } = await changePages(work, (text, page) => {
      const tree = parsePage(text, page)
      if (tree === null) {
        if (page === from) throw new Error(`${page} is MDX that does not parse. Nothing was moved.`)
        unread.push(page)
        return text
      }
      assertNotIncluded(listIncludes(tree, text), page, move)
      const edits: Edit[] = []
      for (const { start, end, raw } of listLinks(tree, text)) {
        const address = parseAddress(raw)
        if (!address || address.path === '') continue
        const moved = moveLink(move, page, address.path)
        if (moved.kind === 'unclear') unclear.push(`${page}: ${raw} (${moved.why})`)
        if (moved.kind !== 'write') continue
        const replacement = matchEncoding(raw, moved.path) + address.tail
        edits.push({ start, end, text: replacement })
        fixed.push(`${page}: ${raw} → ${replacement}`)
      }
      return applyEdits(text, edits)
    })
    if (left.includes(from)) throw new Error(`${from} is too large or not UTF-8. Nothing was moved.`)
    const inSite = site === null ? [] : [await changeSiteFile(site, move, work)]
    await moveFile(work.checkout, from, to)
    return [
      `Moved ${from} to ${to} and changed ${count(fixed.length, 'link')} in ${count(changed, 'page')}.${leftAlone(left)}`,
      ...inSite,
      ...formatLines('Changed', fixed),
      ...formatLines('Left alone', unclear),
      ...formatLines('Still names the old place', await findMentions(work, move, site)),
      ...formatLines('Not looked at, because its MDX does not parse', unread),
    ]
  }

/** The docs.json of a page. Null when the project's folder has none. */
const findSiteFile = ({ from, to, before, after }: Move, { folder }: RecipeWork): string | null => {
  const root = before.findRoot(from)
  if (after.findRoot(to) !== root) throw new Error('The two places belong to different sites. Nothing was moved.')
  const found = ['docs.json', 'mint.json'].map((name) => posix.join(root, name)).find((file) => before.has(file))
  return found !== undefined && (folder === '' || found.startsWith(`${folder}/`)) ? found : null
}

const changeSiteFile = async (site: string, move: Move, { checkout }: RecipeWork): Promise<string> => {
  const text = await readText(checkout, site)
  if (text === null) throw new Error(`${site} is too large or not UTF-8. Nothing was moved.`)
  const moved = moveInDocsJson(text, site, move)
  await writeBytes(checkout, site, Buffer.from(moved.text))
  return `Changed ${count(moved.entries, 'entry', 'entries')} in ${site} and made a redirect from the old address.`
}

/** Content that is taken in from another file would be looked for elsewhere, and be missing without a word. */
const assertNotIncluded = (paths: readonly string[], page: string, { from, before }: Move) => {
  const relative = paths.find((path) => page === from && /^\.{1,2}\/|^[\w-]+(\/|\.mdx?$)/.test(path))
  if (relative !== undefined)
    throw new Error(`${page} takes in ${relative}, which would not be found any more. Nothing was moved.`)
  const places = (path: string) => [posix.join(posix.dirname(page), path), posix.join(before.findRoot(page), path)]
  if (page !== from && paths.some((path) => places(path).includes(from)))
    throw new Error(`${page} takes in ${from}, which it would not find any more. Nothing was moved.`)
}

/** No part of the new place is a symlink, which could lead outside. */
const moveFile = async (checkout: string, from: string, to: string) => {
  let folder = checkout
  for (const part of posix.dirname(to).split('/')) {
    folder = join(folder, part)
    const found = await lstat(folder).catch(() => null)
    if (found && !found.isDirectory()) throw new Error(`${to} would be outside of a folder. Nothing was moved.`)
  }
  await mkdir(dirname(join(checkout, to)), { recursive: true })
  if (await lstat(join(checkout, to)).catch(() => null)) throw new Error(`There is ${to} already. Nothing was moved.`)
  await rename(join(checkout, from), join(checkout, to))
}

/** Syntax of inclusions in documentation tools. The first group is the path. */
const inclusions = [
  /<!--\s*@include:\s*([^\s{#>]+)/g,
  /^<<<\s*(\S+)/gm,
  /\{\{#\w+\s+([^\s}:]+)/g,
  /\{%-?\s*include(?:[-_]\w+)?\s+["']([^"'\n]+)["']/g,
  /--8<--\s*["']([^"'\n]+)["']/g,
]
const imported = /\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g

/** Paths of imported or included files, as written. */
const listIncludes = (tree: Root, text: string): string[] => {
  const paths = inclusions.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path))
  visit(tree, (node) => {
    if (node.type === 'mdxjsEsm') paths.push(...[...node.value.matchAll(imported)].map(([, path = '']) => path))
  })
  return paths
}

const settings = /\.(json|ya?ml|toml|[cm]?[jt]s)$/i

/**
 * Files that still name the old path after a move: navigation of other tools, code, pages outside the project's folder. Skips `site`,
 * because its redirect has to name the path.
 */
const findMentions = async (work: RecipeWork, { from, to, before }: Move, site: string | null): Promise<string[]> => {
  const root = before.findRoot(from)
  const path = from.slice(root === '' ? 0 : root.length + 1).replace(/\.mdx?$/i, '')
  // A single word is ambiguous, so it counts only with its ending.
  const name = path.includes('/') ? path : from
  const wanted = new RegExp(`(?<![\\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-])`)
  const mentions: string[] = []
  for (const file of await listFiles(work.checkout)) {
    if (file === site || file === to || !(isPage(file) || settings.test(file))) continue
    const text = await readText(work.checkout, file)
    if (text !== null && wanted.test(text)) mentions.push(file)
  }
  return mentions
}
