import type { SourceFolder } from '@docket/sources/source-folder'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { parseYaml, readText } from '#readers/read-text.ts'
import { asData, asText } from '#site/data.ts'
import { readRedirectTable, readTomlText } from './book-toml.ts'
import { readSummary } from './summary.ts'

/** Opens a book: a SUMMARY.md at the root, or where book.toml or .gitbook.yaml says. */
export const openBook = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const isRust = folder.files.has(`${base}book.toml`)
  if (base !== '' && !isRust) return null
  const toml = isRust ? await readText(folder, `${base}book.toml`) : ''
  const gitbook = asText(asData(parseYaml(await readText(folder, `${base}.gitbook.yaml`)))['root'])
  const source = readTomlText(toml, 'book', 'src') ?? (isRust ? 'src' : (gitbook ?? ''))
  const root = base + source.replace(/^\.?\/+|\/+$/g, '').replace(/(.)$/, '$1/')
  if (!folder.files.has(`${root}SUMMARY.md`)) return null
  const summary = await readText(folder, `${root}SUMMARY.md`)
  return {
    ...plainLayout,
    kind: 'book',
    dialect: isRust ? 'book' : 'common',
    root,
    reasonAgainst: (file) => (file === `${root}SUMMARY.md` ? 'it is the navigation' : null),
    title: readTomlText(toml, 'book', 'title'),
    description: readTomlText(toml, 'book', 'description'),
    favicon:
      ['svg', 'png', 'ico']
        .flatMap((ending) => [`${base}theme/favicon.${ending}`, `${root}favicon.${ending}`])
        .find((file) => folder.files.has(file)) ?? null,
    redirects: readRedirectTable(toml),
    readNavigation: (pages) => readSummary(summary, '', (path) => pages.has(path)),
  }
}
