import type { Git } from '@docket/sources/git/git'
import {
  decodeUtf8,
  escapeName,
  hashContent,
  formatPath,
  isRefusedName,
  readLinkTarget,
  staysInside,
  isUnchangeable,
  walkFiles,
} from '#files/walk-files.ts'

type Entry = { mode: string; hash: string }

/** Maximum bytes and files that one turn may add or change. */
const limits = { file: 32 * 1024 * 1024, all: 256 * 1024 * 1024, files: 20_000 }

export type Snapshot = { tree: string; notes: string[] }

/**
 * Makes a git tree of untrusted files under `workTree`. Hashes contents as they are, so no filter, hook, attribute or planted `.git` has
 * an effect. Leaves out and names links that lead outside, names that git refuses, special files, and changes to files that a code host
 * runs. Keeps files whose names are not UTF-8 as they were. Rejects when the changes are too large.
 */
export const writeSnapshotTree = async (order: {
  git: Git
  base: string
  workTree: string
  index: string
}): Promise<Snapshot> => {
  const { git, base, workTree, index } = order
  const { before, undecodable } = await readEntries(git, base)
  const hashLength = base.length
  const notes: string[] = []
  const after = new Map<string, Entry>()
  // Submodules and unchangeable files stay as they were.
  for (const [path, entry] of before) if (entry.mode === '160000' || isUnchangeable(path)) after.set(path, entry)

  const fresh: { path: string; mode: string; file: string }[] = []
  let bytes = 0
  for (const file of await walkFiles(workTree)) {
    const { path } = file
    const old = before.get(path)
    if (file.kind === 'undecodable') {
      if (!undecodable.some(({ name }) => name === path || name.startsWith(`${path}/`)))
        notes.push(`Left out, because its name is not UTF-8: “${path}”.`)
      continue
    }
    if (file.kind === 'other' || isRefusedName(path)) {
      if (old) after.set(path, old)
      notes.push(`${old ? 'Left as it was' : 'Left out'}, because git cannot keep it: ${formatPath(path)}.`)
      continue
    }
    if (file.kind === 'link') {
      const target = await readLinkTarget(file.absolute)
      const hash = hashContent(target, hashLength)
      if (old?.mode === '120000' && old.hash === hash) after.set(path, old)
      else if (isUnchangeable(path)) notes.push(leftAsItWas(path))
      else if (!staysInside(path, target.toString()))
        notes.push(`Left out, because it leads outside: ${formatPath(path)}.`)
      else {
        const blob = (await git(['hash-object', '-w', '--stdin', '--no-filters'], { input: target.toString() })).trim()
        after.set(path, { mode: '120000', hash: blob })
      }
    } else {
      const mode = file.executable ? '100755' : '100644'
      const isSame = old !== undefined && (await file.hash(hashLength)) === old.hash && old.mode !== '120000'
      if (isUnchangeable(path)) {
        if (!isSame) notes.push(leftAsItWas(path))
      } else if (isSame) {
        after.set(path, { mode, hash: old.hash })
      } else {
        bytes += file.size
        if (file.size > limits.file || bytes > limits.all || fresh.length >= limits.files)
          throw new Error(describeTooMuch(path))
        fresh.push({ path, mode, file: file.absolute })
      }
    }
  }
  const hashes = await hashFiles(git, fresh)
  for (const [position, { path, mode }] of fresh.entries()) after.set(path, { mode, hash: hashes[position]! })
  const lines = [...after].map(([path, { mode, hash }]) => `${mode} ${hash}\t${path}\0`)
  // Reads bytes, because not every path is valid text.
  const input = Buffer.concat([Buffer.from(lines.join('')), ...undecodable.map(({ line }) => line)])
  await git(['update-index', '-z', '--index-info'], { index, input })
  notes.push(...noteUndecodable(undecodable.map(({ name }) => name)))
  return { tree: (await git(['write-tree'], { index })).trim(), notes }
}

/** Entries of a commit by path, and those whose path is not UTF-8 as a line for `update-index`. */
const readEntries = async (git: Git, commit: string) => {
  // One character per byte.
  const output = await git(['ls-tree', '-r', '-z', '--full-tree', commit], { encoding: 'latin1' })
  const before = new Map<string, Entry>()
  const undecodable: { name: string; line: Buffer }[] = []
  for (const line of output.split('\0')) {
    const [mode = '', , hash = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    const bytes = Buffer.from(line.slice(line.indexOf('\t') + 1), 'latin1')
    const path = decodeUtf8(bytes)
    if (path === null) {
      const whole = Buffer.concat([Buffer.from(`${mode} ${hash}\t`), bytes, Buffer.from('\0')])
      undecodable.push({ name: escapePath(bytes), line: whole })
    } else if (path !== '') before.set(path, { mode, hash })
  }
  return { before, undecodable }
}

/** As `walkFiles` writes it: only the parts that are not UTF-8 are escaped. */
const escapePath = (path: Buffer) =>
  path
    .toString('latin1')
    .split('/')
    .map((part) => Buffer.from(part, 'latin1'))
    .map((part) => decodeUtf8(part) ?? escapeName(part))
    .join('/')

const maxNamed = 20

const noteUndecodable = (names: readonly string[]): string[] => {
  if (names.length === 0) return []
  const more = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : ''
  return [
    `Left as they were, because their names are not UTF-8: ${names
      .slice(0, maxNamed)
      .map((name) => `“${name}”`)
      .join(', ')}${more}.`,
  ]
}

const hashFiles = async (git: Git, files: readonly { file: string }[]) => {
  if (files.length === 0) return []
  const input = `${files.map(({ file }) => file).join('\n')}\n`
  return (await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input })).trim().split('\n')
}

const leftAsItWas = (path: string) => `Left as it was, because a code host acts on it: ${formatPath(path)}.`
const describeTooMuch = (path: string) =>
  `The changes are too large: ${limits.file / 1024 ** 2} MB a file, ${limits.all / 1024 ** 2} MB and ${limits.files} files together are the most (reached at ${formatPath(path)}).`
