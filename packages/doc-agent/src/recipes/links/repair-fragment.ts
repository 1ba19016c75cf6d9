import { oncePerKey } from '@docket/once'
import type { Root } from 'mdast'
import { EXIT, visit } from 'unist-util-visit'
import GithubSlugger from 'github-slugger'
import { parsePage, toSpan, listPages, readText } from '#recipes/docs/pages.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import { formatPathTo } from './repair-path.ts'
import type { LinkSpace } from './resolve.ts'

export type FragmentFix = { kind: 'fine' } | { kind: 'unclear'; why: string } | { kind: 'write'; address: string }

const maxVersions = 60

/** True when a page includes other files, which may contain a missing heading. Code samples do not count. */
const includesOtherFiles = (tree: Root): boolean => {
  let takes = false
  visit(tree, (node) => {
    if (node.type === 'mdxjsEsm') takes ||= /\bfrom\s*["'][./@~]/.test(node.value)
    else if (node.type.startsWith('mdxJsx')) takes ||= 'name' in node && node.name === 'Snippet'
    else if (node.type === 'html')
      takes ||= /<!--\s*@include|<Snippet\b|^<script\b[\s\S]*\bfrom\s*["'][^"']+\.mdx?["']/.test(node.value)
    else if (node.type === 'text') takes ||= /\{%-?\s*include|--8<--/.test(node.value)
    return takes ? EXIT : undefined
  })
  return takes
}

/** A page without headings may get them from components that its script renders. */
const isMadeByScript = (tree: Root, ids: ReadonlySet<string>) =>
  ids.size === 0 && tree.children.some((node) => node.type === 'html' && /^<script\b[\s\S]*\bfrom\s/.test(node.value))

/** Repairs a link when only letter case differs, or when exactly one page has the heading that this page once had. */
export const createFragmentFixes = (work: RecipeWork, space: LinkSpace) => {
  const known = new Map<string, { ids: Set<string>; loose: Set<string>; isOpen: boolean }>()
  const idsOn = async (page: string) => {
    const before = known.get(page)
    if (before) return before
    const text = (await readText(work.checkout, page)) ?? ''
    const tree = parsePage(text, page)
    const ids = tree ? listHeadingIds(tree, text) : new Set<string>()
    const found = {
      ids,
      loose: new Set([...ids].map(toLooseId)),
      isOpen: tree === null || includesOtherFiles(tree) || isMadeByScript(tree, ids),
    }
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
  const had = oncePerKey<Set<string>>({ keep: true })

  return async (
    page: string,
    target: string,
    link: { path: string; raw: string; fragment: string },
  ): Promise<FragmentFix> => {
    const { fragment, path, raw } = link
    const { ids, loose, isOpen } = await idsOn(target)
    // The top of the page and text fragments need no heading.
    if (ids.has(fragment) || isOpen || /^(top$|:~:)/.test(fragment)) return { kind: 'fine' }
    const alike = [...ids].filter((id) => id.toLowerCase() === fragment.toLowerCase())
    const beforeHash = raw.slice(0, raw.indexOf('#'))
    if (alike.length === 1) return write(`${beforeHash}#${alike[0]}`)
    if (loose.has(toLooseId(fragment))) return { kind: 'fine' }
    const unclear = (why: string): FragmentFix => ({ kind: 'unclear', why })
    if (!(await had.run(target, () => listEarlierIds(work, target))).has(fragment))
      return unclear(`${target} has no such heading`)
    const [only, ...more] = await pagesWith(fragment)
    if (only === undefined || more.length > 0)
      return unclear(
        only === undefined ? 'the heading was removed' : `may mean ${[only, ...more].slice(0, 3).join(' or ')}`,
      )
    if (only === page) return write(`#${fragment}`)
    const to = formatPathTo(space, { page, path: path === '' ? './x.md' : path }, only)
    return to === null ? unclear(`the heading is in ${only} now`) : write(`${to}#${raw.slice(raw.indexOf('#') + 1)}`)
  }
}

const write = (address: string): FragmentFix => ({ kind: 'write', address })

const listEarlierIds = async ({ git, commit }: RecipeWork, page: string): Promise<Set<string>> => {
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

const ownId = /\s*\{#([\w:.-]+)\}\s*$/

const listHeadingIds = (tree: Root, text: string): Set<string> => {
  const slugger = new GithubSlugger()
  const ids = new Set<string>()
  visit(tree, (node) => {
    const { start, end } = toSpan(node)
    if (node.type === 'heading') {
      const words = readPlainText(node).trim()
      const own = ownId.exec(words)?.[1] ?? /\{#([\w:.-]+)\}/.exec(text.slice(start, end))?.[1]
      ids.add(own ?? slugger.slug(words))
    } else if (node.type === 'html' || node.type.startsWith('mdxJsx'))
      for (const [, value = ''] of text.slice(start, end).matchAll(/\b(?:id|name|title)\s*=\s*["']([^"'\n]+)["']/g)) {
        ids.add(value)
        // Components such as accordions create an id from their title.
        ids.add(new GithubSlugger().slug(value))
      }
  })
  return ids
}

const readPlainText = (node: { type?: string; value?: unknown; alt?: unknown; children?: unknown[] }): string => {
  // Tags are not part of a heading's text.
  if (node.type === 'html') return ''
  if (typeof node.value === 'string') return node.value
  if (typeof node.alt === 'string') return node.alt
  return (node.children ?? []).map((child) => readPlainText(child as { value?: unknown })).join('')
}

/** An id reduced to lower-case letters and digits, because documentation tools treat everything else differently. */
const toLooseId = (id: string): string =>
  id
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
