import type { SourceFolder } from '@docket/sources/source-folder'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { parseYaml, readText } from '#readers/read-text.ts'
import { asData, asText } from '#site/data.ts'
import { readSummary } from './summary.ts'

/** Opens a book: a SUMMARY.md at the root, or in the folder that book.toml or .gitbook.yaml names. */
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
    readNavigation: (_, find) => readSummary(summary, '', find),
  }
}

const maxTomlLines = 5_000
/** Maximum length of a line, because the regular expressions take quadratic time. Characters. */
const maxTomlLine = 2_000

type TomlEntry = { table: string; key: string; value: string }

/** Reads entries `key = "text"` of a TOML document; ignores others. */
const readEntries = (toml: string): TomlEntry[] => {
  let table = ''
  return toml
    .split(/\r?\n/, maxTomlLines)
    .map((line) => line.slice(0, maxTomlLine).trim())
    .flatMap((line): TomlEntry[] => {
      const header = /^\[([^[\]]+)\]/.exec(line)?.[1]
      if (header !== undefined) table = header.trim()
      const [, quoted, bare, basic, literal] = /^(?:"([^"]*)"|([\w-]+))\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(line) ?? []
      const [key, value] = [quoted ?? bare, basic ?? literal]
      return key === undefined || value === undefined ? [] : [{ table, key, value }]
    })
}

const readTomlText = (toml: string, table: string, key: string): string | null =>
  readEntries(toml).find((entry) => entry.table === table && entry.key === key)?.value ?? null

/** Redirects of `[output.html.redirect]`, as paths without outer slashes and file extensions. */
const readRedirectTable = (toml: string): Map<string, string> =>
  new Map(
    readEntries(toml)
      .filter(({ table }) => table === 'output.html.redirect')
      .map(({ key, value }) => {
        const from = key.replace(/^\/+/, '').replace(/\.html$/, '')
        const folder = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/` : ''
        return [from, /^([a-z]+:|\/)/.test(value) ? value : `/${folder}${value}`]
      }),
  )
