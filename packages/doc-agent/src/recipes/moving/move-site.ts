import { posix } from 'node:path'
import { isMap, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml'
import { applyEdits, type Edit, isIn, readText } from '#recipes/docs/pages.ts'
import { parseJson } from '#recipes/navigation/docs-json-entries.ts'
import { readEntries, type SiteFile, type Sites } from '#recipes/navigation/site-files.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import { moveEntry } from './move-entries.ts'
import type { Move } from './move-links.ts'
import { redirectEdits } from './redirects.ts'

export type SiteMove = { edits: Map<string, Edit[]>; changed: string[]; findings: string[] }

/**
 * Prepares the changes of navigation files for a moved page, and a redirect where the site has a `docs.json`. Keeps every other
 * character. Throws with a sentence, before anything is written, when a change is ambiguous.
 */
export const planSiteMove = async (sites: Sites, move: Move, work: RecipeWork): Promise<SiteMove> => {
  const { before, after, from, to } = move
  const root = before.findRoot(from)
  if (after.findRoot(to) !== root) throw new Error('The two places belong to different sites. Nothing was moved.')
  const plan: SiteMove = { edits: new Map(), changed: [], findings: [] }
  const texts = new Map<string, string>()
  const own = sites.files.filter((site) => site.root === root && isIn(work.folder, site.file))
  for (const site of own) {
    const text = await readText(work.checkout, site.file)
    const read = text === null ? null : readEntries(site, text)
    if (text === null || read === null) {
      if (site.kind === 'docs-json') throw new Error(`${site.file} is no JSON or too large. Nothing was moved.`)
      plan.findings.push(`${site.file} — cannot be read, so its links stay as they are`)
      continue
    }
    texts.set(site.file, text)
    const edits: Edit[] = []
    for (const entry of read.entries) {
      const value = tryMove(entry, site, move, plan)
      if (value !== null) edits.push({ start: entry.start, end: entry.end, text: entry.write(value) })
    }
    plan.edits.set(site.file, edits)
    if (edits.length > 0) plan.changed.push(`${edits.length} in ${site.file}`)
    if (read.computed > 0)
      plan.findings.push(`${site.file} — ${read.computed} of its links are computed and stay as they are`)
  }
  addRedirect(plan, texts, own, { from: toAddress(from, root), to: toAddress(to, root) })
  return plan
}

const tryMove = (entry: Parameters<typeof moveEntry>[0], site: SiteFile, move: Move, plan: SiteMove) => {
  try {
    return moveEntry(entry, site.root, move)
  } catch (error) {
    const reason = (error as Error).message
    if (site.kind === 'docs-json') throw new Error(`${site.file}: ${reason}. Nothing was moved.`, { cause: error })
    plan.findings.push(`${site.file} — ${reason}`)
    return null
  }
}

/** The redirect goes into the list that the `docs.json` holds or refers to. */
const addRedirect = (
  plan: SiteMove,
  texts: ReadonlyMap<string, string>,
  own: readonly SiteFile[],
  addresses: { from: string; to: string },
) => {
  const main = own.find(({ kind, file }) => kind === 'docs-json' && /(^|\/)(docs|mint)\.json$/.test(file))
  if (main === undefined) {
    if (own.length > 0)
      plan.findings.push(`No redirect was made: VitePress has none. Let your web server lead ${addresses.from} on`)
    return
  }
  const elsewhere = own.find(({ isRedirects }) => isRedirects)
  const { file } = elsewhere ?? main
  const text = texts.get(file) ?? ''
  const contents = parseJson(text)?.contents as Node | null | undefined
  const place = isMap(contents) || isSeq(contents) ? (contents as YAMLMap<Node, Node> | YAMLSeq<Node>) : null
  if (place === null) throw new Error(`${file} cannot be changed with certainty. Nothing was moved.`)
  const edits = [...(plan.edits.get(file) ?? []), ...redirectEdits(place, text, { ...addresses, file })]
  // Of two edits at one place, the later one wins, because it covers the redirect as a whole.
  plan.edits.set(file, [...new Map(edits.map((edit) => [edit.start, edit])).values()])
  if (parseJson(applyEdits(text, plan.edits.get(file)!)) === null)
    throw new Error(`${file} cannot be changed with certainty. Nothing was moved.`)
  if (addresses.from !== addresses.to) plan.changed.push(`a redirect from ${addresses.from} in ${file}`)
}

const toAddress = (file: string, root: string) =>
  `/${posix
    .relative(root, file)
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)(index|readme)$/i, '')}`
