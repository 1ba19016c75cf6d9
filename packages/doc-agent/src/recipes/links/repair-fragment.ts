import { parsePage } from '#recipes/docs/page-tree.ts'
import { listPages, readText } from '#recipes/docs/pages.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import { listHeadingIds, looseId } from './heading-ids.ts'
import { pathTo } from './repair-path.ts'
import type { LinkSpace } from './resolve.ts'

/** Result for a link to a part of a page: fine, replaced, or unclear. */
export type FragmentFix = { kind: 'fine' } | { kind: 'unclear' } | { kind: 'write'; address: string }

/** Versions of a page that are looked at for a heading it had. */
const maxVersions = 60

/** The page includes headings of other files, so the missing heading may be in one of those. */
const takesFromElsewhere = /<!--\s*@include|<Snippet\b|^import\s.+from\s|\{%\s*include|--8<--/m

/**
 * Checks links to parts of pages. Repairs one when only letter case differs, or when the page once had the heading and exactly one page
 * has it now.
 */
export const fragmentFixes = (work: RecipeWork, space: LinkSpace) => {
  const known = new Map<string, { ids: Set<string>; loose: Set<string>; isOpen: boolean }>()
  const idsOn = async (page: string) => {
    const before = known.get(page)
    if (before) return before
    const text = (await readText(work.checkout, page)) ?? ''
    const tree = parsePage(text, page)
    const ids = tree ? listHeadingIds(tree, text) : new Set<string>()
    const found = { ids, loose: new Set([...ids].map(looseId)), isOpen: tree === null || takesFromElsewhere.test(text) }
    known.set(page, found)
    return found
  }
  let pages: string[] | null = null
  const pagesWith = async (fragment: string) => {
    pages ??= await listPages({ ...work, folder: '' })
    const having: string[] = []
    for (const page of pages) if ((await idsOn(page)).ids.has(fragment)) having.push(page)
    return having
  }
  const had = new Map<string, Promise<Set<string>>>()
  const idsOnceOn = (page: string) => {
    const found = had.get(page) ?? idsBefore(work, page)
    had.set(page, found)
    return found
  }

  return async (
    page: string,
    target: string,
    link: { path: string; raw: string; fragment: string },
  ): Promise<FragmentFix> => {
    const { fragment, path, raw } = link
    const { ids, loose, isOpen } = await idsOn(target)
    // The top of the page, and text to be searched for, need no heading.
    if (ids.has(fragment) || isOpen || /^(top$|:~:)/.test(fragment)) return { kind: 'fine' }
    const alike = [...ids].filter((id) => id.toLowerCase() === fragment.toLowerCase())
    const beforeHash = raw.slice(0, raw.indexOf('#'))
    if (alike.length === 1) return write(`${beforeHash}#${alike[0]}`)
    if (loose.has(looseId(fragment))) return { kind: 'fine' }
    if (!(await idsOnceOn(target)).has(fragment)) return { kind: 'unclear' }
    const [only, ...more] = await pagesWith(fragment)
    if (only === undefined || more.length > 0) return { kind: 'unclear' }
    if (only === page) return write(`#${fragment}`)
    const to = pathTo(space, { page, path: path === '' ? './x.md' : path }, only)
    return to === null ? { kind: 'unclear' } : write(`${to}#${raw.slice(raw.indexOf('#') + 1)}`)
  }
}

const write = (address: string): FragmentFix => ({ kind: 'write', address })

const idsBefore = async ({ git, commit }: RecipeWork, page: string): Promise<Set<string>> => {
  const ids = new Set<string>()
  const range = ['--format=%H', '--max-count', String(maxVersions), '--end-of-options', commit, '--', page]
  const commits = (await git(['log', ...range])).split('\n').filter((line) => line !== '')
  for (const one of commits) {
    // The version before a commit that touched the page, and the page as it was then.
    const text = await git(['cat-file', 'blob', `${one}^1:${page}`]).catch(() => '')
    const tree = parsePage(text, page)
    for (const id of tree ? listHeadingIds(tree, text) : []) ids.add(id)
  }
  return ids
}
