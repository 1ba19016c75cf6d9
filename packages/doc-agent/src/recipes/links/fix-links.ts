import { count } from '@docket/sources/text'
import { parsePage } from '#recipes/docs/page-tree.ts'
import { applyEdits, changePages, listFiles, isPage, type Edit } from '#recipes/docs/pages.ts'
import type { Step } from '#recipes/recipe.ts'
import { leftAlone, formatLines } from '#recipes/report-lines.ts'
import { listLinks } from './page-links.ts'
import { renameHistory } from './rename-history.ts'
import { fragmentFixes } from './repair-fragment.ts'
import { matchEncoding, pathTo, repairPath } from './repair-path.ts'
import { parseAddress, folderOnly, linkSpace, resolveTarget } from './resolve.ts'

/** Repairs broken links that can only mean one file or heading, by git's history, letter case or ending. Names and leaves all others. */
export const fixLinks: Step = async (work) => {
  const { checkout, git, commit } = work
  const space = linkSpace(await listFiles(checkout))
  const history = await renameHistory(git, commit, (path) => space.has(path))
  const wasThere = async (place: { path: string; commit: string }, path: string) => {
    const text = await git(['cat-file', 'blob', `${place.commit}^1:${place.path}`]).catch(() => '')
    const tree = parsePage(text, place.path)
    return tree !== null && listLinks(tree, text).some(({ raw }) => parseAddress(raw)?.path === path)
  }
  const fragments = fragmentFixes(work, space)
  const unread: string[] = []
  const unclear: string[] = []
  const fixed: string[] = []

  const { changed, left } = await changePages(work, async (text, page) => {
    const tree = parsePage(text, page)
    if (tree === null) {
      unread.push(page)
      return text
    }
    const edits: Edit[] = []
    for (const { start, end, raw } of listLinks(tree, text)) {
      const address = parseAddress(raw)
      if (!address) continue
      const { path, tail, fragment } = address
      const target = path === '' ? page : resolveTarget(space, page, path)
      if (target === folderOnly) continue
      let replacement: string | null
      if (target === null) {
        const verdict = await repairPath(space, history, { page, path }, wasThere)
        const to = verdict.kind === 'file' ? pathTo(space, { page, path }, verdict.file) : null
        replacement = to === null ? null : matchEncoding(raw, to) + tail
      } else if (fragment === '' || !isPage(target)) continue
      else {
        const found = await fragments(page, target, { path, raw, fragment })
        if (found.kind === 'fine') continue
        replacement = found.kind === 'write' ? found.address : null
      }
      if (replacement === null) unclear.push(`${page}: ${raw}`)
      else {
        edits.push({ start, end, text: replacement })
        fixed.push(`${page}: ${raw} → ${replacement}`)
      }
    }
    return applyEdits(text, edits)
  })
  return [
    (fixed.length === 0 ? 'No link to fix.' : `Fixed ${count(fixed.length, 'link')} in ${count(changed, 'page')}.`) +
      leftAlone(left),
    ...formatLines('Fixed', fixed),
    ...formatLines('Left alone, because nothing proves what is meant', unclear),
    ...formatLines('Not looked at, because its MDX does not parse', unread),
  ]
}
