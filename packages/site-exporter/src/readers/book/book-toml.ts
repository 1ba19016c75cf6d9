const maxLines = 5_000
/** The expressions take quadratic time. Characters. */
const maxLine = 2_000

type Entry = { table: string; key: string; value: string }

/** Entries `key = "text"` of a TOML document; others are left out. */
const readEntries = (toml: string): Entry[] => {
  let table = ''
  return toml
    .split(/\r?\n/, maxLines)
    .map((line) => line.slice(0, maxLine).trim())
    .flatMap((line): Entry[] => {
      const header = /^\[([^[\]]+)\]/.exec(line)?.[1]
      if (header !== undefined) table = header.trim()
      const [, quoted, bare, basic, literal] = /^(?:"([^"]*)"|([\w-]+))\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(line) ?? []
      const [key, value] = [quoted ?? bare, basic ?? literal]
      return key === undefined || value === undefined ? [] : [{ table, key, value }]
    })
}

/** Text at `key` of a table, or null. */
export const readTomlText = (toml: string, table: string, key: string): string | null =>
  readEntries(toml).find((entry) => entry.table === table && entry.key === key)?.value ?? null

/** Redirects of `[output.html.redirect]`, as paths without outer slashes and endings. */
export const readRedirectTable = (toml: string): Map<string, string> =>
  new Map(
    readEntries(toml)
      .filter(({ table }) => table === 'output.html.redirect')
      .map(({ key, value }) => {
        const from = key.replace(/^\/+/, '').replace(/\.html$/, '')
        const folder = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/` : ''
        return [from, /^([a-z]+:|\/)/.test(value) ? value : `/${folder}${value}`]
      }),
  )
