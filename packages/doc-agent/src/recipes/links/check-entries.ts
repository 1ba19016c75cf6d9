import { posix } from 'node:path'
import type { FileWork } from '#recipes/docs/pages.ts'
import { isRedirected, readEntries, type SiteFile, type Sites } from '#recipes/navigation/site-files.ts'
import type { RenameHistory } from './rename-history.ts'
import { explainUnclear, pathTo, repairPath } from './repair-path.ts'
import { type LinkSpace, parseAddress, resolveTarget } from './resolve.ts'

/** Repairs entries of a navigation file that lead to no page, as far as git's history or letter case prove one. */
export const checkEntries = async (
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
    // Patterns, and operations of an OpenAPI document.
    if (!address || address.path === '/' || /[:*\s]/.test(address.path) || !isCertain) continue
    const { path, tail } = address
    if (resolveTarget(space, page, path) !== null || isRedirected(sites, site.root, path)) continue
    const verdict = await repairPath(space, history, { page, path }, async () => false)
    const to = verdict.kind === 'file' ? pathTo(space, { page, path }, verdict.file) : null
    const lead = value.startsWith('/') ? '' : `/${prefix}`.replace('//', '/')
    if (to === null || !to.startsWith(lead))
      work.findings!.push({ at: start, what: `${value} — ${explainUnclear(verdict)}` })
    else work.edits.push({ start, end, text: write(to.slice(lead.length) + tail) })
  }
  return work
}
