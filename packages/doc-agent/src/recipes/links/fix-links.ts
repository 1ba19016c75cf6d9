import { posix } from 'node:path'
import { count } from '@docket/sources/text'
import {
  parsePage,
  changeFiles,
  type FileWork,
  isInFolder,
  isPage,
  listFiles,
  listScope,
  noteLimit,
} from '#recipes/docs/pages.ts'
import { findSites, isRedirected, readEntries, type SiteFile, type Sites } from '#recipes/navigation/site-files.ts'
import { type Step, noteUnread } from '#recipes/recipe.ts'
import { listLinks } from './page-links.ts'
import { readRenameHistory, type RenameHistory } from './rename-history.ts'
import { createFragmentFixes } from './repair-fragment.ts'
import { explainUnclear, matchEncoding, formatPathTo, repairPath } from './repair-path.ts'
import { folderOnly, createLinkSpace, parseAddress, resolveTarget, type LinkSpace } from './resolve.ts'

/** Repairs links that can only mean one file or heading, and reports all others with the reason. */
export const fixLinks: Step = async (work) => {
  const { checkout, git, commit } = work
  const files = await listFiles(checkout)
  const sites = await findSites(work, files)
  const space = createLinkSpace(files, sites.roots)
  const history = await readRenameHistory(git, commit, (path) => space.has(path))
  const wasThere = async (place: { path: string; commit: string }, path: string) => {
    const text = await git(['cat-file', 'blob', `${place.commit}^1:${place.path}`]).catch(() => '')
    const tree = parsePage(text, place.path)
    return tree !== null && listLinks(tree, text).some(({ raw }) => parseAddress(raw)?.path === path)
  }
  const fragments = createFragmentFixes(work, space)
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
        const to = verdict.kind === 'file' ? formatPathTo(space, { page, path }, verdict.file) : null
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
  const navigation = work.pages ? [] : sites.files.filter(({ file }) => isInFolder(work.folder, file))
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

/** Repairs entries of a navigation file that lead to no page, if git's history or the letter case proves the right one. */
const checkEntries = async (
  site: SiteFile,
  text: string,
  { space, history, sites }: { space: LinkSpace; history: RenameHistory; sites: Sites },
): Promise<FileWork> => {
  const read = readEntries(site, text)
  if (read === null) return null
  const work: NonNullable<FileWork> = { edits: [], findings: [] }
  // Entries are addresses from the root of the site.
  const page = posix.join(site.root, 'index.md')
  for (const { start, end, value, prefix, isCertain, write } of read.entries) {
    const address = parseAddress(value.startsWith('/') ? value : `/${prefix}${value}`.replace('//', '/'))
    // Skips patterns and operations of an OpenAPI document.
    if (!address || address.path === '/' || /[:*\s]/.test(address.path) || !isCertain) continue
    const { path, tail } = address
    if (resolveTarget(space, page, path) !== null || isRedirected(sites, site.root, path)) continue
    const verdict = await repairPath(space, history, { page, path }, async () => false)
    const to = verdict.kind === 'file' ? formatPathTo(space, { page, path }, verdict.file) : null
    const lead = value.startsWith('/') ? '' : `/${prefix}`.replace('//', '/')
    if (to === null || !to.startsWith(lead))
      work.findings!.push({ at: start, what: `${value} — ${explainUnclear(verdict)}` })
    else work.edits.push({ start, end, text: write(to.slice(lead.length) + tail) })
  }
  return work
}
