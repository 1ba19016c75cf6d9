import { count } from '@docket/sources/text'
import { pageTree } from '#recipes/docs/page-tree.ts'
import { applyEdits, changePages, filesOf, isPage, type Edit } from '#recipes/docs/pages.ts'
import type { Step } from '#recipes/recipe.ts'
import { leftAlone, listed } from '#recipes/report-lines.ts'
import { linksOf } from './links-of.ts'
import { renameHistory } from './rename-history.ts'
import { fragmentFixes } from './repair-fragment.ts'
import { asWritten, pathTo, repairPath } from './repair-path.ts'
import { addressOf, folderOnly, linkSpace, targetOf } from './resolve.ts'

/**
 * Repairs links that lead nowhere, where one file or heading can only be meant: git's history says where it went, or letter case or ending are wrong.
 * Every other broken link is named and left.
 */
export const fixLinks: Step = async (work) => {
  const { checkout, git, commit } = work
  const space = linkSpace(await filesOf(checkout))
  const history = await renameHistory(git, commit, (path) => space.has(path))
  const wasThere = async (place: { path: string; commit: string }, path: string) => {
    const text = await git(['cat-file', 'blob', `${place.commit}^1:${place.path}`]).catch(() => '')
    const tree = pageTree(text, place.path)
    return tree !== null && linksOf(tree, text).some(({ raw }) => addressOf(raw)?.path === path)
  }
  const fragments = fragmentFixes(work, space)
  const unread: string[] = []
  const unclear: string[] = []
  const fixed: string[] = []

  const { changed, left } = await changePages(work, async (text, page) => {
    const tree = pageTree(text, page)
    if (tree === null) {
      unread.push(page)
      return text
    }
    const edits: Edit[] = []
    for (const { start, end, raw } of linksOf(tree, text)) {
      const address = addressOf(raw)
      if (!address) continue
      const { path, tail, fragment } = address
      const target = path === '' ? page : targetOf(space, page, path)
      if (target === folderOnly) continue
      let written: string | null
      if (target === null) {
        const verdict = await repairPath(space, history, { page, path }, wasThere)
        const to = verdict.kind === 'file' ? pathTo(space, { page, path }, verdict.file) : null
        written = to === null ? null : asWritten(raw, to) + tail
      } else if (fragment === '' || !isPage(target)) continue
      else {
        const found = await fragments(page, target, { path, raw, fragment })
        if (found.kind === 'fine') continue
        written = found.kind === 'write' ? found.address : null
      }
      if (written === null) unclear.push(`${page}: ${raw}`)
      else {
        edits.push({ start, end, text: written })
        fixed.push(`${page}: ${raw} → ${written}`)
      }
    }
    return applyEdits(text, edits)
  })
  return [
    (fixed.length === 0 ? 'No link to fix.' : `Fixed ${count(fixed.length, 'link')} in ${count(changed, 'page')}.`) +
      leftAlone(left),
    ...listed('Fixed', fixed),
    ...listed('Left alone, because nothing proves what is meant', unclear),
    ...listed('Not looked at, because its MDX does not parse', unread),
  ]
}
