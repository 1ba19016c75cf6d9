import type { Git } from '@docket/sources/git/git'

export type DiffLine = {
  kind: 'added' | 'removed' | 'hunk' | 'same'
  text: string
  before: number | null
  after: number | null
}

/** Changes of one file. `note` is new, deleted, renamed or binary. `isCut` is true when it has more lines. */
export type DiffFile = { path: string; note: string; lines: DiffLine[]; added: number; removed: number; isCut: boolean }

/** `isCut` is true when `files` is incomplete. `totals` cover all files, and are null if counting takes too long. */
export type Diff = {
  files: DiffFile[]
  isCut: boolean
  totals: { files: number; added: number; removed: number } | null
}

/** Maximum bytes of a diff to read; larger ones are better viewed in a clone. */
export const diffLimitBytes = 512 * 1024

// Looking for renames among thousands of files would take minutes.
const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '-l200']
const timeLimitMs = 20_000

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Null if it takes too long. */
export const countChanges = async (git: Git, range: readonly string[]): Promise<Diff['totals']> => {
  const short = await git(['diff', ...plain, '--shortstat', ...range], { timeLimitMs }).catch(() => null)
  if (short === null) return null
  const number = (pattern: RegExp) => Number(pattern.exec(short)?.[1] ?? 0)
  return {
    files: number(/(\d+) files? changed/),
    added: number(/(\d+) insertions?/),
    removed: number(/(\d+) deletions?/),
  }
}

/** Reads the changes in `to` since its merge base with `from`; all of `to` without a merge base. */
export const readDiff = async (git: Git, from: string | undefined, to: string): Promise<Diff> => {
  const shared = from === undefined ? '' : (await git(['merge-base', from, to], { goodExit: 1 })).trim()
  const range = [shared || emptyTree, to, '--']
  const [text, totals] = await Promise.all([
    git(['diff', ...plain, ...range], { atMostBytes: diffLimitBytes, timeLimitMs }),
    countChanges(git, range),
  ])
  const files = parseDiff(text)
  const sum = (kind: 'added' | 'removed') => files.reduce((all, file) => all + file[kind], 0)
  const isCut =
    totals === null
      ? Buffer.byteLength(text) >= diffLimitBytes
      : files.length < totals.files || sum('added') < totals.added || sum('removed') < totals.removed
  const last = files.at(-1)
  return { files: isCut && last ? files.with(-1, { ...last, isCut: true }) : files, isCut, totals }
}

const parseDiff = (diff: string): DiffFile[] => {
  const parts: string[][] = []
  // Splits at line feeds only: other line separators are content.
  for (const line of diff.slice(0, diff.lastIndexOf('\n')).split('\n')) {
    if (line.startsWith('diff --git ')) parts.push([line])
    else parts.at(-1)?.push(line)
  }
  return parts.map(parseFileDiff)
}

const parseFileDiff = (part: string[]): DiffFile => {
  const firstHunk = part.findIndex((line) => line.startsWith('@@'))
  const head = firstHunk < 0 ? part : part.slice(0, firstHunk)
  const after = (prefix: string) => head.find((line) => line.startsWith(prefix))?.slice(prefix.length)
  // Without a rename, both halves name the same path, after `a/` and after `b/`.
  const halves = part[0]!.slice('diff --git '.length)
  const same = halves.slice(0, (halves.length - 1) / 2).replace(/^("?)a\//, '$1')
  const from = after('rename from ') ?? after('copy from ')
  const notes = [
    from !== undefined && `renamed from ${from}`,
    after('new file mode 120000') !== undefined && 'symbolic link',
    after('new file mode') !== undefined && 'new',
    after('deleted file mode') !== undefined && 'deleted',
    after('new mode ') !== undefined && `mode ${after('old mode ')} → ${after('new mode ')}`,
    after('Binary files ') !== undefined && 'binary, not shown',
  ]
  const lines = firstHunk < 0 ? [] : numberLines(part.slice(firstHunk))
  return {
    path: after('rename to ') ?? after('copy to ') ?? same,
    note: notes.filter((note) => note !== false).join(', '),
    lines,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    isCut: false,
  }
}

const numberLines = (lines: readonly string[]): DiffLine[] => {
  let [before, after] = [0, 0]
  return lines.map((text) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text)
    if (hunk) {
      ;[before, after] = [Number(hunk[1]), Number(hunk[2])]
      return { kind: 'hunk', text, before: null, after: null }
    }
    // “No newline at end of file” is about the line before it.
    if (text.startsWith('\\')) return { kind: 'same', text, before: null, after: null }
    if (text.startsWith('+')) return { kind: 'added', text, before: null, after: after++ }
    if (text.startsWith('-')) return { kind: 'removed', text, before: before++, after: null }
    return { kind: 'same', text, before: before++, after: after++ }
  })
}
