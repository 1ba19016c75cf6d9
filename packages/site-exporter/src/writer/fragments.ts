import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bareId } from '#markdown/slugs.ts'
import { encodePart, toHtmlFile, relativeHref } from './addresses.ts'

/** A link to a part of a page, to be checked when the ids of all pages are known. */
export type AnchorUse = { from: string; path: string; fragment: string }

/** A link from one page to another, or to a part of it. On the page itself it needs a place to lead to. */
export const pageHref = ({ from, path, fragment }: AnchorUse): string =>
  (path === from ? '' : relativeHref(toHtmlFile(from), toHtmlFile(path))) +
  // An apostrophe would be written as a character reference, and not be found again.
  (fragment ? `#${encodePart(fragment).replaceAll("'", '%27')}` : path === from ? '#docket-content' : '')

/**
 * Corrects, in the written pages under `target`, links to parts that do not exist under this very id. An id that differs in case or
 * punctuation is meant: every tool makes ids in its own way. Otherwise the link leads to the page, and is returned as broken.
 */
export const settleFragments = async (
  target: string,
  uses: readonly AnchorUse[],
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<AnchorUse[]> => {
  const broken: AnchorUse[] = []
  const bare = new Map<string, Map<string, string>>()
  const meant = ({ path, fragment }: AnchorUse) => {
    const known = bare.get(path) ?? byBareId(ids.get(path) ?? [])
    bare.set(path, known)
    return known.get(bareId(fragment)) ?? known.get(bareId(fragment.replace(/^(param|response)[-.]/, '')))
  }
  const corrections = new Map<string, Map<string, string>>()
  for (const use of uses) {
    if (ids.get(use.path)?.has(use.fragment)) continue
    const id = meant(use)
    if (id === undefined) broken.push(use)
    const inPage = corrections.get(use.from) ?? new Map<string, string>()
    inPage.set(pageHref(use), pageHref({ ...use, fragment: id ?? '' }))
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

const byBareId = (ids: Iterable<string>) => {
  const known = new Map<string, string>()
  for (const id of ids) if (bareId(id) !== '' && !known.has(bareId(id))) known.set(bareId(id), id)
  return known
}
