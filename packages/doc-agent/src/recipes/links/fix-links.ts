import { count } from '@docket/sources/text'
import { parsePage } from '#recipes/docs/page-tree.ts'
import { changeFiles, type FileWork, isIn, isPage, listFiles, listScope, noteLimit } from '#recipes/docs/pages.ts'
import { findSites, isRedirected } from '#recipes/navigation/site-files.ts'
import type { Step } from '#recipes/recipe.ts'
import { noteUnread } from '#recipes/report-lines.ts'
import { checkEntries } from './check-entries.ts'
import { listLinks } from './page-links.ts'
import { renameHistory } from './rename-history.ts'
import { fragmentFixes } from './repair-fragment.ts'
import { explainUnclear, matchEncoding, pathTo, repairPath } from './repair-path.ts'
import { folderOnly, linkSpace, parseAddress, resolveTarget } from './resolve.ts'

/**
 * Checks the links of pages and, for a whole project, of its navigation. Repairs those that can only mean one file or heading, by git's
 * history, letter case or ending. Reports all others with the reason.
 */
export const fixLinks: Step = async (work) => {
  const { checkout, git, commit } = work
  const files = await listFiles(checkout)
  const sites = await findSites(work, files)
  const space = linkSpace(files, sites.roots)
  const history = await renameHistory(git, commit, (path) => space.has(path))
  const wasThere = async (place: { path: string; commit: string }, path: string) => {
    const text = await git(['cat-file', 'blob', `${place.commit}^1:${place.path}`]).catch(() => '')
    const tree = parsePage(text, place.path)
    return tree !== null && listLinks(tree, text).some(({ raw }) => parseAddress(raw)?.path === path)
  }
  const fragments = fragmentFixes(work, space)
  let links = 0

  const checkPage = async (text: string, page: string): Promise<FileWork> => {
    const tree = parsePage(text, page)
    if (tree === null) return null
    const found: NonNullable<FileWork> = { edits: [], findings: [] }
    for (const { start, end, raw } of listLinks(tree, text)) {
      const address = parseAddress(raw)
      if (!address) continue
      links += 1
      const { path, tail, fragment } = address
      const target = path === '' ? page : resolveTarget(space, page, path)
      if (target === folderOnly) continue
      const unclear = (why: string) => found.findings!.push({ at: start, what: `${raw} — ${why}` })
      if (target === null) {
        if (path.startsWith('/') && isRedirected(sites, space.findRoot(page), path)) continue
        const verdict = await repairPath(space, history, { page, path }, wasThere)
        const to = verdict.kind === 'file' ? pathTo(space, { page, path }, verdict.file) : null
        if (to === null) unclear(explainUnclear(verdict))
        else found.edits.push({ start, end, text: matchEncoding(raw, to) + tail })
      } else if (fragment !== '' && isPage(target)) {
        const fix = await fragments(page, target, { path, raw, fragment })
        if (fix.kind === 'unclear') unclear(fix.why)
        else if (fix.kind === 'write') found.edits.push({ start, end, text: fix.address })
      }
    }
    return found
  }
  const navigation = work.pages ? [] : sites.files.filter(({ file }) => isIn(work.folder, file))
  const changed = await changeFiles(
    work,
    [...(await listScope(work)), ...navigation.map(({ file }) => file)],
    (text, file) => {
      const site = navigation.find((one) => one.file === file)
      return site ? checkEntries(site, text, { space, history, sites }) : checkPage(text, file)
    },
  )
  const { files: changedFiles, changes, findings } = changed
  const fixed =
    changes.count === 0 ? 'No link to fix.' : `Fixed ${count(changes.count, 'link')} in ${count(changedFiles, 'file')}.`
  const left = findings.count === 0 ? '' : ` ${count(findings.count, 'broken link')} left for a person.`
  return {
    summary: `${fixed}${left} Checked ${count(links, 'link')}.`,
    files: changedFiles,
    changes,
    findings,
    notes: [...noteLimit(changed, work.limit), ...noteUnread(changed)],
  }
}
