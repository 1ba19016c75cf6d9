/** One line of a change, as a diff shows it. */
export type DiffLine = { kind: 'added' | 'removed' | 'hunk' | 'same'; text: string }

/** The changes of one file. `note` says what no line shows: new, deleted, renamed, binary. */
export type DiffFile = { path: string; note: string; lines: DiffLine[] }

/** Reads a unified diff of git, file by file. */
export const filesOfDiff = (diff: string): DiffFile[] =>
  diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map(fileOf)

const fileOf = (part: string): DiffFile => {
  const lines = part.replace(/\n$/, '').split('\n')
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'))
  const head = firstHunk < 0 ? lines : lines.slice(0, firstHunk)
  const after = (prefix: string) => head.find((line) => line.startsWith(prefix))?.slice(prefix.length)
  // Without a rename both halves are the same path, once behind `a/` and once behind `b/`.
  const halves = lines[0]!.slice('diff --git '.length)
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
  return {
    path: after('rename to ') ?? after('copy to ') ?? same,
    note: notes.filter((note) => note !== false).join(', '),
    lines: firstHunk < 0 ? [] : lines.slice(firstHunk).map((text) => ({ kind: kindOf(text), text })),
  }
}

const kindOf = (line: string): DiffLine['kind'] => {
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'same'
}
