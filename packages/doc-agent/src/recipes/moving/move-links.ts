import { posix } from 'node:path'
import { encodePath, listSpellings } from '#recipes/links/repair-path.ts'
import { listBases, isInside, type LinkSpace } from '#recipes/links/resolve.ts'

export type Move = { from: string; to: string; before: LinkSpace; after: LinkSpace }

export type LinkChange = { kind: 'fine' } | { kind: 'write'; path: string } | { kind: 'unclear'; why: string }

/** A target of a link, and the index of its base in `listBases`. A folder without a page ends with a slash. */
type Lead = { manner: number; target: string }

/** Changes a link so that it leads to the same content from the same kind of base. `page` is its place before the move. */
export const moveLink = (move: Move, page: string, path: string): LinkChange => {
  const { before, after, from, to } = move
  const pageAfter = page === from ? to : page
  const leads = listLeads(before, page, path)
  const [lead] = leads
  if (lead === undefined) {
    // The link was already broken. Only a move to another folder can change where its author would look for the target.
    const isElsewhere = page === from && posix.dirname(from) !== posix.dirname(to) && !path.startsWith('/')
    return isElsewhere ? { kind: 'unclear', why: 'led nowhere before' } : { kind: 'fine' }
  }
  const target = lead.target === from ? to : lead.target
  const leadsThere = (candidate: string) => {
    const [now] = listLeads(after, pageAfter, candidate)
    return now?.target === target && now.manner === lead.manner
  }
  if (leadsThere(path)) return { kind: 'fine' }
  if (new Set(leads.map((one) => one.target)).size > 1)
    return { kind: 'unclear', why: 'tools understand it in different ways' }
  const base = listBases(after, pageAfter, path)[lead.manner]!
  const candidate = listPathsTo(path, base, target).find((way) => leadsThere(decodeURIComponent(way)))
  return candidate === undefined ? { kind: 'unclear', why: 'cannot be written' } : { kind: 'write', path: candidate }
}

const listLeads = (space: LinkSpace, page: string, path: string): Lead[] =>
  listBases(space, page, path).flatMap((base, manner): Lead[] => {
    const place = posix.join(base, path.replace(/^\//, ''))
    const at = place === '.' || place === './' ? '' : place
    // A path that starts with dots is not relative to the root.
    if (!isInside(place) || (manner === 2 && path.startsWith('.'))) return []
    const target = space.fileAt(at) ?? (space.isFolder(at) ? `${at.replace(/\/+$/, '')}/` : null)
    return target === null ? [] : [{ manner, target }]
  })

/** Spellings of a path from `base` to `target` in the style of `path`. Empty when an absolute path cannot lead there. */
const listPathsTo = (path: string, base: string, target: string): string[] => {
  const relative = posix.relative(base, target)
  const isUp = relative.startsWith('..')
  if (path.startsWith('/') && isUp) return []
  const lead = path.startsWith('/') ? '/' : path.startsWith('./') && !isUp ? './' : ''
  if (target.endsWith('/')) {
    if (relative === '') return [lead || './']
    return [encodePath(lead + relative + (path.endsWith('/') ? '/' : ''))]
  }
  // A link to the folder of an index page keeps its form.
  const namesFile = /(^|\/)(index|readme)$|\.\w+$|\/$/i.test(path)
  const folder = /(^|\/)(index|readme)\.mdx?$/i
  const ways = [
    ...(!namesFile && folder.test(relative) ? [relative.replace(folder, '')] : []),
    ...listSpellings(path, relative),
  ]
  return ways.map((way) => encodePath(lead + way) || './')
}
