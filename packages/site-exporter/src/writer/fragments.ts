import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toBareId } from '#markdown/slugs.ts'
import { encodePart, toHtmlFile, toRelativeHref } from './addresses.ts'

/** Link to a fragment, checked once all ids are known. */
export type AnchorUse = { from: string; path: string; fragment: string }

/** Link to a page or fragment. A link to its own page needs a fragment. */
export const toPageHref = ({ from, path, fragment }: AnchorUse): string =>
  (path === from ? '' : toRelativeHref(toHtmlFile(from), toHtmlFile(path))) +
  // HTML would escape an apostrophe.
  (fragment ? `#${encodePart(fragment).replaceAll("'", '%27')}` : path === from ? '#docket-content' : '')

/** Corrects links to unknown fragments in written pages. Ids that differ in case or punctuation match; others are returned as broken. */
export const correctFragments = async (
  target: string,
  uses: readonly AnchorUse[],
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<AnchorUse[]> => {
  const broken: AnchorUse[] = []
  const bare = new Map<string, Map<string, string>>()
  const findSimilar = ({ path, fragment }: AnchorUse) => {
    const known = bare.get(path) ?? groupByBareId(ids.get(path) ?? [])
    bare.set(path, known)
    return known.get(toBareId(fragment)) ?? known.get(toBareId(fragment.replace(/^(param|response)[-.]/, '')))
  }
  const corrections = new Map<string, Map<string, string>>()
  for (const use of uses) {
    if (ids.get(use.path)?.has(use.fragment)) continue
    const id = findSimilar(use)
    if (id === undefined) broken.push(use)
    const inPage = corrections.get(use.from) ?? new Map<string, string>()
    inPage.set(toPageHref(use), toPageHref({ ...use, fragment: id ?? '' }))
    corrections.set(use.from, inPage)
  }
  for (const [path, hrefs] of corrections) {
    const file = join(target, toHtmlFile(path))
    const html = await readFile(file, 'utf8')
    await writeFile(
      file,
      html.replace(/ href="([^"]*#[^"]*)"/g, (whole, href: string) =>
        hrefs.has(href) ? ` href="${hrefs.get(href)}"` : whole,
      ),
    )
  }
  return broken
}

const groupByBareId = (ids: Iterable<string>) => {
  const known = new Map<string, string>()
  for (const id of ids) if (toBareId(id) !== '' && !known.has(toBareId(id))) known.set(toBareId(id), id)
  return known
}
