import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { count } from '@docket/sources/text'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { parsePage, changeFiles, type FileWork, isPage, listFiles, listPages, readText } from '#recipes/docs/pages.ts'
import { listLinks } from '#recipes/links/page-links.ts'
import { matchEncoding } from '#recipes/links/repair-path.ts'
import { createLinkSpace, parseAddress } from '#recipes/links/resolve.ts'
import { findSites } from '#recipes/navigation/site-files.ts'
import { type Lines, type RecipeWork, type Step, noteUnread, toLines } from '#recipes/recipe.ts'
import { isRefusedName } from '#files/walk-files.ts'
import { type Move, moveLink } from './move-links.ts'
import { planSiteMove } from './move-site.ts'

/** Moves a page with its links, navigation entries and a redirect. Fails without moving anything if content would be lost. */
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
    const before = createLinkSpace(files, sites.roots)
    const after = createLinkSpace([...files.filter((file) => file !== from), to].toSorted(), sites.roots)
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

/** Throws if the page includes files or is included itself, because after a move that content would silently be missing. */
const assertNotIncluded = (paths: readonly string[], page: string, { from, before }: Move) => {
  const relative = paths.find((path) => page === from && /^\.{1,2}\/|^[\w-]+(\/|\.mdx?$)/.test(path))
  if (relative !== undefined)
    throw new Error(`${page} takes in ${relative}, which would not be found any more. Nothing was moved.`)
  const places = (path: string) => [posix.join(posix.dirname(page), path), posix.join(before.findRoot(page), path)]
  if (page !== from && paths.some((path) => places(path).includes(from)))
    throw new Error(`${page} takes in ${from}, which it would not find any more. Nothing was moved.`)
}

/** Checks that no part of the new path is a symlink, which could lead outside. */
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

/** Skips a `docs.json`, because its redirect has to name the path. */
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

type ResolvedMove = { kind: 'move'; from: string; to: string } | { kind: 'done'; to: string }

/** Returns `done` when only the new page exists. Throws a readable error. */
const resolveMove = (
  request: { from: string; to: string },
  files: readonly string[],
  { folder }: Pick<RecipeWork, 'folder'>,
): ResolvedMove => {
  const known = new Set(files)
  const find = (path: string) =>
    [path, `${path}.md`, `${path}.mdx`].filter((candidate) => known.has(candidate) && isPage(candidate))
  const [from, to] = [parsePlainPath(request.from), parsePlainPath(request.to)]
  // A name that starts with the folder is relative to the root only when the folder has no such page.
  const fromRoot = folder !== '' && from.startsWith(`${folder}/`) && find(posix.join(folder, from)).length === 0
  const inRepository = (path: string) =>
    folder === '' || (fromRoot && path.startsWith(`${folder}/`)) ? path : posix.join(folder, path)

  const pages = find(inRepository(from))
  if (pages.length > 1) throw new Error(`“${request.from}” may be ${pages.join(' or ')}. Name it with its ending.`)
  const [page] = pages
  const place = request.to.endsWith('/') ? posix.join(to, posix.basename(page ?? from)) : to
  if (page === undefined) {
    const [there] = find(inRepository(place))
    if (there !== undefined) return { kind: 'done', to: there }
    throw new Error(`There is no page “${request.from}”. Nothing was moved.`)
  }
  const ending = posix.extname(page)
  const target = inRepository(isPage(place) ? place : place + ending)
  if (posix.extname(target) !== ending)
    throw new Error(`“${request.from}” is a ${ending} page and stays one: its new name ends with ${ending}.`)
  const conflict = files.find((file) => removeEnding(file) === removeEnding(target) && file !== page)
  if (conflict !== undefined) throw new Error(`There is ${conflict} already. Nothing was moved.`)
  if (target === page) throw new Error(`“${request.from}” is there already. Nothing was moved.`)
  const parents = target.split('/').slice(0, -1)
  const inFile = parents.map((_, index) => parents.slice(0, index + 1).join('/')).find((parent) => known.has(parent))
  if (inFile !== undefined) throw new Error(`${inFile} is a file, and no page can be in it. Nothing was moved.`)
  return { kind: 'move', from: page, to: target }
}

/** Some systems treat names that differ in case as one, and readers reach `a.md` and `a.mdx` at one address. */
const removeEnding = (file: string) => file.replace(/\.mdx?$/i, '').toLowerCase()

const parsePlainPath = (text: string) => {
  const path = posix.normalize(text.replace(/^\/+|\/+$/g, ''))
  const parts = path.split('/')
  const isOdd = parts.some((part) => part.startsWith('.') || /^(node_modules|vendor)$/i.test(part) || part.length > 200)
  if (path === '.' || isOdd || isRefusedName(path))
    throw new Error(`“${text}” is no name for a page of this project. Nothing was moved.`)
  return path
}
