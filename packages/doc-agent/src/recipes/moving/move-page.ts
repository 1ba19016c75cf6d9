import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { count } from '@docket/sources/text'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { parsePage } from '#recipes/docs/page-tree.ts'
import { changeFiles, type FileWork, isPage, listFiles, listPages, readText } from '#recipes/docs/pages.ts'
import { listLinks } from '#recipes/links/page-links.ts'
import { matchEncoding } from '#recipes/links/repair-path.ts'
import { linkSpace, parseAddress } from '#recipes/links/resolve.ts'
import { findSites } from '#recipes/navigation/site-files.ts'
import type { Lines, RecipeWork, Step } from '#recipes/recipe.ts'
import { noteUnread, toLines } from '#recipes/report-lines.ts'
import { type Move, moveLink } from './move-links.ts'
import { planSiteMove } from './move-site.ts'
import { resolveMove } from './resolve-move.ts'

/**
 * Moves a page with its links, its places in the navigation and book summaries, and a redirect in `docs.json`. Names and leaves ambiguous
 * places; fails, with nothing moved, where content would get lost.
 */
export const movePage =
  (request: { from: string; to: string }): Step =>
  async (work) => {
    const files = await listFiles(work.checkout)
    const names = resolveMove(request, files, work)
    if (names.kind === 'done')
      return {
        summary: `There is no page “${request.from}”, and ${names.to} is there: nothing to move.`,
        files: 0,
        changes: toLines([]),
        findings: toLines([]),
        notes: [],
      }
    const { from, to } = names
    const sites = await findSites(work, files)
    const before = linkSpace(files, sites.roots)
    const after = linkSpace([...files.filter((file) => file !== from), to].toSorted(), sites.roots)
    const move: Move = { from, to, before, after }
    const plan = await planSiteMove(sites, move, work)
    const changed = await changeFiles(work, [...(await listPages(work)), ...plan.edits.keys()], (text, file) => {
      const edits = plan.edits.get(file)
      if (edits !== undefined) return { edits }
      const tree = parsePage(text, file)
      if (tree !== null) {
        assertNotIncluded(listIncludes(tree, text), file, move)
        return moveLinks(tree, text, { page: file, move })
      }
      if (file === from) throw new Error(`${file} is MDX that does not parse. Nothing was moved.`)
      return null
    })
    if (changed.left.includes(from)) throw new Error(`${from} is too large or not UTF-8. Nothing was moved.`)
    await moveFile(work.checkout, from, to)
    const mentions = await findMentions(work, move, new Set(plan.edits.keys()))
    const inSite = plan.changed.length === 0 ? '' : ` Navigation: ${plan.changed.join(', ')}.`
    const { changes, findings, files: changedFiles } = changed
    return {
      summary: `Moved ${from} to ${to} and changed ${count(changes.count, 'place')} in ${count(changedFiles, 'file')}.${inSite}`,
      files: changedFiles + (isChanged(changes, from) ? 0 : 1),
      changes,
      findings: joinLines(findings, [
        ...plan.findings,
        ...mentions.map((file) => `${file} — still names the old place`),
      ]),
      notes: noteUnread(changed),
    }
  }

const isChanged = ({ shown }: Lines, file: string) => shown.some((line) => line.startsWith(`${file}:`))
const joinLines = ({ shown, count: before }: Lines, more: readonly string[]): Lines => {
  const all = toLines([...shown, ...more])
  return { shown: all.shown, count: before + more.length }
}

const moveLinks = (tree: Root, text: string, { page, move }: { page: string; move: Move }): FileWork => {
  const found: NonNullable<FileWork> = { edits: [], findings: [] }
  for (const { start, end, raw } of listLinks(tree, text)) {
    const address = parseAddress(raw)
    if (!address || address.path === '') continue
    const moved = moveLink(move, page, address.path)
    if (moved.kind === 'unclear') found.findings!.push({ at: start, what: `${raw} — ${moved.why}` })
    else if (moved.kind === 'write')
      found.edits.push({ start, end, text: matchEncoding(raw, moved.path) + address.tail })
  }
  return found
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

const listIncludes = (tree: Root, text: string): string[] => {
  const paths = inclusions.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path))
  visit(tree, (node) => {
    if (node.type === 'mdxjsEsm') paths.push(...[...node.value.matchAll(imported)].map(([, path = '']) => path))
  })
  return paths
}

const settings = /\.(json|ya?ml|toml|[cm]?[jt]s)$/i

/**
 * Files that still name the old path after a move: navigation of other tools, code, pages outside the project's folder. Skips a
 * `docs.json`, because its redirect has to name the path.
 */
const findMentions = async (work: RecipeWork, { from, to, before }: Move, sites: Set<string>): Promise<string[]> => {
  const root = before.findRoot(from)
  const path = from.slice(root === '' ? 0 : root.length + 1).replace(/\.mdx?$/i, '')
  // A single word is ambiguous, so it counts only with its ending.
  const name = path.includes('/') ? path : from
  const wanted = new RegExp(`(?<![\\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-])`)
  const mentions: string[] = []
  for (const file of await listFiles(work.checkout)) {
    if ((sites.has(file) && file.endsWith('.json')) || file === to || !(isPage(file) || settings.test(file))) continue
    const text = await readText(work.checkout, file)
    if (text !== null && wanted.test(text)) mentions.push(file)
  }
  return mentions
}
