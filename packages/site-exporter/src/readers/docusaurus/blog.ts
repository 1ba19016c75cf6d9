import { posix } from 'node:path'
import type { Data } from '#site/data.ts'
import { asText } from '#site/data.ts'
import { toName } from './doc-names.ts'

const dated = /^(.*?)(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*?)(?:\/index)?$/

/** Names a post as Docusaurus does: by its `slug`, else by date and file. Returns its date for sorting, too. */
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
