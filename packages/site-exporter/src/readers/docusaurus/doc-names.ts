import { posix } from 'node:path'
import { asText, type Data } from '#site/data.ts'

export type Doc = {
  file: string
  /** Id in sidebars: `guide/start`. */
  id: string
  /** File name from which the path of the page is derived. */
  name: string
  place: string
  /** Position among siblings, from the front matter or a number before the name. */
  position: number | null
  matter: Data
}

const numbered = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/
/** Dates and versions are not positions. */
const unnumbered = /^(?:(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?.*|\d+[-_.]\d+.*)$/

/** Splits `02-start` into its position and name. */
export const splitNumber = (name: string): { name: string; position: number | null } => {
  const [, number, rest] = (unnumbered.test(name.slice(0, 200)) ? null : numbered.exec(name.slice(0, 200))) ?? []
  return rest === undefined ? { name, position: null } : { name: rest, position: Number(number) }
}

const removeNumbers = (folder: string) =>
  folder
    .split('/')
    .map((part) => splitNumber(part).name)
    .join('/')

/** Names a doc as Docusaurus does: by `id` and `slug` of its front matter, else by its file. `route` begins its address. */
export const nameDoc = (file: string, place: string, route: string, matter: Data): Doc => {
  const ending = posix.extname(place)
  const folder = posix.dirname(place) === '.' ? '' : `${removeNumbers(posix.dirname(place))}/`
  const { name: base, position } = splitNumber(posix.basename(place, ending))
  const own = asText(matter['id']) ?? base
  const slug = typeof matter['slug'] === 'string' ? matter['slug'].trim() : ''
  const parent = posix.basename(posix.dirname(place))
  const isIndex = /^(index|readme)$/i.test(base) || base.toLowerCase() === splitNumber(parent).name.toLowerCase()
  const path =
    slug !== ''
      ? posix.join('/', slug.startsWith('/') ? '' : folder, slug)
      : isIndex
        ? `/${folder}`
        : `/${folder}${own}`
  const given = matter['sidebar_position']
  return {
    file,
    id: folder + own,
    name: toName(posix.join('/', route, path), ending),
    place,
    position: typeof given === 'number' ? given : position,
    matter,
  }
}

/** File name of an address. One that ends with a slash is the index of its folder. */
export const toName = (address: string, ending: string): string => {
  const path = posix.normalize(address).replace(/^\/+/, '')
  return path === '' || path.endsWith('/') ? `${path}index${ending}` : path + ending
}

const dated = /^(.*?)(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*?)(?:\/index)?$/

/** Names a post as Docusaurus does: by its `slug`, else by date and file. Also returns its date, for sorting. */
export const namePost = (place: string, route: string, matter: Data): { name: string; date: string } => {
  const ending = posix.extname(place)
  const stem = place.slice(0, -ending.length).slice(0, 500)
  const [, folder = '', year = '', month = '', day = '', rest = ''] = dated.exec(stem) ?? []
  const byFile = year === '' ? stem.replace(/\/index$/, '') : `${year}/${month}/${day}/${folder}${rest}`
  const slug = asText(matter['slug'])
  const given = asText(matter['date']) ?? ''
  const name = toName(posix.join('/', route, slug ?? byFile).replace(/(.)\/+$/, '$1'), ending)
  return { name, date: given || [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-') }
}
