import { posix } from 'node:path'
import type { SiteEntry } from '#recipes/navigation/site-entry.ts'
import { encodePath } from '#recipes/links/repair-path.ts'
import type { Move } from './move-links.ts'

/** New value of an entry that leads to the page, in its old style. Null for any other entry; throws when it cannot be written. */
export const moveEntry = (
  { value, prefix }: Pick<SiteEntry, 'value' | 'prefix'>,
  root: string,
  { before, after, from, to }: Move,
): string | null => {
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? []
  const findFile = (entry: string, space: typeof before) => space.fileAt(posix.join(root, entry.replace(/^\/+/, '')))
  const whole = path.startsWith('/') ? path : prefix + path
  if (path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path) || findFile(whole, before) !== from) return null
  const bare = posix.relative(root, to).replace(/\.mdx?$/i, '')
  const ending = /\.(mdx?|html)$/i.exec(path)?.[0] ?? ''
  const isFolder = !/(^|\/)(index|readme)(\.mdx?)?$/i.test(path)
  const short = isFolder ? bare.replace(/(^|\/)(index|readme)$/i, '') : bare
  const lead = path.startsWith('/') ? '/' : prefix.replace(/^\/+/, '')
  const ways = [short, bare].map((way) => (path.startsWith('/') ? '/' : '') + encodePath(way) + ending)
  const way = ways.find((one) => findFile(decodeURIComponent(one), after) === to)
  if (way === undefined || (!path.startsWith('/') && !way.startsWith(lead)))
    throw new Error(`The entry ${JSON.stringify(value)} cannot be written anew`)
  return (path.startsWith('/') ? way : way.slice(lead.length)) + tail
}
