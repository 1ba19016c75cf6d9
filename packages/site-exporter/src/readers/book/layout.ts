import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { formatSettingLine, plainBrand } from '#site/brand.ts'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { reportMistake, readData, readText } from '#readers/read-text.ts'
import { readRedirects } from '#readers/redirects.ts'
import { parseToml, parseYaml } from '#site/parse-data.ts'
import { asData, asText } from '#site/data.ts'
import { readSummary } from './summary.ts'

/** True for a folder that GitBook keeps in step with a space. In other folders below the root, a SUMMARY.md may be any page. */
export const isGitbook = ({ files, hidden }: SourceFolder, base: string): boolean =>
  hidden.includes(`${base}.gitbook.yaml`) ||
  (files.has(`${base}SUMMARY.md`) && [...files].some((file) => file.startsWith(`${base}.gitbook/`)))

/** Opens a book: the SUMMARY.md of `base`, if it is the root, GitBook's or `isBook`, or the file that book.toml or .gitbook.yaml names. */
export const openBook = async (folder: SourceFolder, base: string, isBook = false): Promise<SiteLayout | null> => {
  const isRust = folder.files.has(`${base}book.toml`)
  if (base !== '' && !isRust && !isBook && !isGitbook(folder, base)) return null
  const toml = asData(isRust ? await readData(folder, `${base}book.toml`, parseToml) : null)
  const gitbook = asData(isRust ? null : await readData(folder, `${base}.gitbook.yaml`, parseYaml))
  const book = asData(toml['book'])
  const html = asData(asData(toml['output'])['html'])
  const ignored = [
    ...Object.keys(toml).filter((key) => !/^(book|build|output|preprocessor|rust)$/.test(key)),
    ...Object.keys(book).flatMap((key) =>
      /^(title|authors|description|src|language|text-direction)$/.test(key) ? [] : `book.${key}`,
    ),
    ...Object.keys(html).flatMap((key) => (/^(redirect|mathjax-support)$/.test(key) ? [] : `output.html.${key}`)),
    ...Object.keys(asData(toml['preprocessor'])).map((name) => `preprocessor.${name}`),
  ]
  const source = asText(book['src']) ?? (isRust ? 'src' : (asText(gitbook['root']) ?? ''))
  const root = base + source.replace(/^\.?\/+|\/+$/g, '').replace(/(.)$/, '$1/')
  const contents = posix.join(root, asText(asData(gitbook['structure'])['summary']) ?? 'SUMMARY.md')
  if (!folder.files.has(contents)) {
    if (isRust) reportMistake(folder, `${base}book.toml`, `it is not used, because there is no ${contents}`)
    return null
  }
  const summary = await readText(folder, contents)
  const moved = Object.entries(asData(gitbook['redirects'])).map(([source, destination]) => ({ source, destination }))
  return {
    ...plainLayout,
    kind: 'book',
    dialect: isRust ? 'book' : 'gitbook',
    root,
    reasonAgainst: (file) => (file === contents ? 'it is the navigation' : null),
    title: asText(book['title']),
    description: asText(book['description']),
    brand: { ...plainBrand, file: isRust ? `${base}book.toml` : '' },
    languages: [{ prefix: '', lang: asText(book['language']), dir: asText(book['text-direction']) }],
    favicon:
      ['svg', 'png', 'ico']
        .flatMap((ending) => [`${base}theme/favicon.${ending}`, `${root}favicon.${ending}`])
        .find((file) => folder.files.has(file)) ?? null,
    redirects: isRust ? readRedirectTable(html['redirect']) : readRedirects({ redirects: moved }, []),
    leftOut: ignored.map((name) => ({
      file: `${base}book.toml`,
      reason: formatSettingLine(name, 'a copy does not use it'),
      kind: 'not-understood',
    })),
    readNavigation: (_, find) => readSummary(summary, contents, '', find),
  }
}

/** Redirects of `[output.html.redirect]`, as paths without outer slashes and file extensions. */
const readRedirectTable = (redirects: unknown): Map<string, string> =>
  new Map(
    Object.entries(asData(redirects)).flatMap(([key, to]) => {
      const target = asText(to)
      if (target === null) return []
      const from = key.replace(/^\/+/, '').replace(/\.html$/, '')
      const folder = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/` : ''
      return [[from, /^([a-z]+:|\/)/.test(target) ? target : `/${folder}${target}`]]
    }),
  )
