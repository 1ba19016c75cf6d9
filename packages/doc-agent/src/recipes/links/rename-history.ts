import type { Git } from '@docket/sources/git/git'

/** A path that its file left in a commit, by a move or deletion. `at` is the position of the commit in the history. */
type Leaving = { at: number; commit: string; to: string | null }

const maxBytes = 24 * 1024 * 1024

/** Reads the renames along the first parents of a history, at a similarity of 70 % or more. `exists` knows the current files. */
export const readRenameHistory = async (git: Git, commit: string, exists: (path: string) => boolean) => {
  const log = await git(
    [
      ...'log --first-parent -m --name-status -M70% --diff-filter=RD -l3000 -z --format=%x01%H'.split(' '),
      '--end-of-options',
      commit,
    ],
    { atMostBytes: maxBytes },
  )
  const left = new Map<string, Leaving[]>()
  const came = new Map<string, { from: string; commit: string; age: number }[]>()
  for (const [age, text] of log.split('\u0001').slice(1).entries()) {
    const [hash = '', ...fields] = text.split('\0').map((field) => field.replace(/^\n+/, ''))
    for (let index = 0; index < fields.length;) {
      const kind = fields[index]!
      if (/^R\d+$/.test(kind)) {
        const [from, to] = [fields[index + 1] ?? '', fields[index + 2] ?? '']
        push(left, from, { at: -age, commit: hash, to })
        push(came, to, { from, commit: hash, age })
        index += 3
      } else if (kind === 'D') {
        push(left, fields[index + 1] ?? '', { at: -age, commit: hash, to: null })
        index += 2
      } else index += 1
    }
  }
  const follow = (path: string, after: number): string | null => {
    // The list is newest first, so the last match is the earliest rename after that time.
    const next = (left.get(path) ?? []).findLast(({ at }) => at > after)
    if (!next) return exists(path) ? path : null
    return next.to === null ? null : follow(next.to, next.at)
  }
  return {
    isGone: (path: string) => left.has(path) && !exists(path),
    /** Current path of the file that was last at `path`. Null when it was deleted or never existed. */
    now: (path: string) => {
      const [last] = left.get(path) ?? []
      return last?.to ? follow(last.to, last.at) : null
    },
    /** Earlier paths of a file, newest first, each with the commit that moved it away. */
    before: (path: string) => {
      const places: { path: string; commit: string }[] = []
      let [at, youngest] = [path, -1]
      for (;;) {
        const last = (came.get(at) ?? []).find(({ age }) => age > youngest)
        if (!last) return places
        places.push({ path: last.from, commit: last.commit })
        ;[at, youngest] = [last.from, last.age]
      }
    },
  }
}

export type RenameHistory = Awaited<ReturnType<typeof readRenameHistory>>

const push = <T>(map: Map<string, T[]>, key: string, value: T) => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
