import { basename } from 'node:path'
import { openSourceFolder } from '#packages/sources/src/source-folder.ts'
import { readSite } from '#packages/site-exporter/src/readers/read-site.ts'
import { listPages } from '#packages/site-exporter/src/site/source-page.ts'
import type { Fault } from './faults.ts'
import { searchTexts } from './site-lists.ts'
import { resolvePlace } from './static-check.ts'

type Files = ReadonlyMap<string, Buffer>

/** An export beside its source. */
export type SourceResult = {
  counts: { navigation: number; missing: number; hidden: number; placeholders: number }
  faults: Fault[]
}

/**
 * Checks an export against the folder it was made of: it opens with the right page, all pages of the navigation are
 * there and can be reached by links, and the search knows neither hidden pages nor placeholders. Pages that the
 * navigation names and the folder lacks are counted as missing.
 */
export const sourceCheck = async (folder: string, files: Files): Promise<SourceResult> => {
  const source = await openSourceFolder(folder)
  const site = await readSite(source, 'Check')
  const readTexts = (pages: readonly { file: string }[]) =>
    Promise.all(pages.map(async ({ file }) => (await source.read(file, maxPageBytes))?.toString('utf8') ?? ''))
  const visible = await readTexts([...site.pages.values()])
  // A page may include a hidden one.
  const isIncluded = ({ file }: { file: string }) => visible.some((text) => text.includes(basename(file)))
  const unlisted = [...site.hidden.values()].filter((page) => !isIncluded(page))
  const hiddenFiles = new Set(unlisted.map(({ file }) => file))
  const others = [...source.files].filter((file) => isText.test(file) && !hiddenFiles.has(file))
  const known = splitText(await readTexts(others.map((file) => ({ file }))))
  const hidden = [...splitText(await readTexts(unlisted))].filter((word) => !known.has(word))
  const placed = [...new Set(site.nav.flatMap(listPages))]
  const start = findStart(files)
  const reachable = findReachable(files, start)
  const searched = searchTexts(files).map(([, content]) => content.toString('utf8'))
  const words = splitText(searched)
  // The search cuts long texts within a word.
  const isHiddenWord = (word: string) => words.has(word) && ![...known].some((other) => other.startsWith(word))
  const fault = (page: string, kind: Fault['kind'], what: string): Fault => ({ page, kind, what })
  return {
    counts: {
      navigation: placed.length,
      missing: site.leftOut.filter(({ reason }) => reason.startsWith('the navigation names it')).length,
      hidden: site.hidden.size,
      placeholders: countPlaceholders(files),
    },
    faults: [
      ...(start === `${site.start}.html` ? [] : [fault(start, 'start', `opens in place of ${site.start}`)]),
      ...placed
        .filter((path) => !reachable.has(`${path}.html`))
        .map((path) => fault(path, 'navigation', files.has(`${path}.html`) ? 'no link leads to it' : 'is not there')),
      ...hidden.filter(isHiddenWord).map((word) => fault('the search', 'hidden', word)),
      ...searched
        .filter((text) => /is not in this copy/.test(text))
        .map(() => fault('the search', 'search', 'placeholder')),
    ],
  }
}

/** Lists files that differ between two exports. */
export const compareExports = (one: Files, other: Files): Fault[] =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((page): Fault[] => {
    const [content, again] = [one.get(page), other.get(page)]
    const isSame = content !== undefined && again !== undefined && content.equals(again)
    return isSame ? [] : [{ page, kind: 'unstable', what: content && again ? 'differs' : 'is in one export only' }]
  })

const maxPageBytes = 10_000_000
/** Files that pages include or are made of. */
const isText = /\.(mdx?|jsx?|tsx?|json|ya?ml|vue|astro|html|txt)$/i

/** File that a site opens with: its index, or the page that it leads to. */
const findStart = (files: Files) => {
  const html = files.get('index.html')?.toString('utf8', 0, 2_000) ?? ''
  const [, address] = /<meta http-equiv="refresh" content="0; url=([^"#]+)/i.exec(html) ?? []
  return address === undefined ? 'index.html' : resolvePlace('index.html', address).target
}

/** Pages that links lead to, page by page. */
const findReachable = (files: Files, start: string): ReadonlySet<string> => {
  const found = new Set([start])
  for (const page of found)
    for (const [, address = ''] of files
      .get(page)
      ?.toString('utf8')
      .matchAll(/ href="([^":#?]+)/g) ?? []) {
      const { target } = resolvePlace(page, address)
      if (target.endsWith('.html') && files.has(target)) found.add(target)
    }
  return found
}

const countPlaceholders = (files: Files) =>
  [...files].reduce(
    (count, [name, content]) =>
      count + (name.endsWith('.html') ? [...content.toString('utf8').matchAll(/class="[^"]*\bnot-here\b/g)].length : 0),
    0,
  )

/** Words that are long enough to belong to one text. */
const splitText = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]{6,}/gu) ?? []))
