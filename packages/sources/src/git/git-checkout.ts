import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type LeftOut, sourceLimits } from '#source-folder.ts'
import { gitIn } from './git.ts'
import { isLfsPointer, lfsReason, mayBeLfsPointer } from './lfs-pointer.ts'

/** Maximum size of all files in one checkout. Bytes. */
const maxBytes = 2 * 1024 * 1024 * 1024

type Entry = { mode: string; bytes: number; path: string }

/**
 * Writes the files of a commit into `target`, byte for byte: those of `folder`, and with `isWhole` the rest of the
 * repository, unless it is too large. Runs no hook, filter or conversion, and creates no symlink. Resolves with the
 * omitted files: links, submodules, Git LFS and files over the limit. Rejects with a readable error.
 */
export const checkOut = async (order: {
  gitDir: string
  commit: string
  folder: string
  target: string
  isWhole?: boolean
}): Promise<LeftOut[]> => {
  const { gitDir, commit, folder, target, isWhole = false } = order
  const work = `${target}.git`
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, folder), { recursive: true, mode: 0o700 })
  await mkdir(work, { recursive: true, mode: 0o700 })
  try {
    const git = gitIn(gitDir)
    const list = async (tree: string, prefix: string) => {
      const output = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', tree]).catch(() => null)
      return output?.split('\0').flatMap((line) => parseEntry(line, prefix)) ?? null
    }
    const own = await list(`${commit}:${folder}`, folder === '' ? '' : `${folder}/`)
    if (own === null) throw new Error(`The repository has no folder ${folder} at ${commit.slice(0, 12)}`)
    if (isTooLarge(own)) throw new Error(`The repository holds more than ${maxBytes / 1024 ** 3} GB of files`)
    const all = isWhole && folder !== '' ? await list(commit, '') : own
    const isAll = all === own || (all !== null && all.length <= sourceLimits.files && !isTooLarge(all))
    const entries = isAll ? all : own
    const missing = entries.flatMap(findReasonAgainst)
    if (!isAll) missing.push({ file: '..', reason: `the repository is too large to read what is outside of ${folder}` })
    const left = new Set(missing.map(({ file }) => file))
    const files = entries.filter(({ path }) => !left.has(path))
    const options = { workTree: target, index: join(work, 'index'), timeLimitMs: 10 * 60_000 }
    await git(['read-tree', commit], options)
    const input = files.map(({ path }) => path).join('\0')
    await git(['checkout-index', '--force', '-z', '--stdin'], { ...options, input, config: noConversion })
    return [...missing, ...(await removePointers(target, files))]
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Disables conversions by git's configuration. `openGitSnapshots` disables those by the repository's attributes. */
const noConversion = ['core.autocrlf=false', 'core.eol=lf', 'core.symlinks=false']

const parseEntry = (line: string, prefix: string): Entry[] => {
  const [, mode = '', size = '', path = ''] = /^(\d{6}) \w+ \w+ +(\d+|-)\t([^]+)$/.exec(line) ?? []
  return path === '' ? [] : [{ mode, bytes: Number(size) || 0, path: prefix + path }]
}

/** Files over the limit for one file are omitted, and count nothing. */
const isTooLarge = (entries: readonly Entry[]) =>
  entries.reduce((sum, { bytes }) => sum + (bytes > sourceLimits.fileBytes ? 0 : bytes), 0) > maxBytes

const findReasonAgainst = ({ mode, bytes, path }: Entry): LeftOut[] => {
  const no = (reason: string) => [{ file: path, reason }]
  if (mode === '160000') return no('it is a git submodule, which is not fetched')
  if (mode === '120000') return no('it is a symbolic link')
  if (path.includes('\ufffd')) return no('its name is not UTF-8')
  return bytes > sourceLimits.fileBytes ? no(`it has more than ${sourceLimits.fileBytes / 1024 / 1024} MB`) : []
}

/** Removes Git LFS pointers, which would become broken pages and pictures. */
const removePointers = async (target: string, files: readonly Entry[]) => {
  const found: LeftOut[] = []
  for (const { path } of files.filter(({ bytes }) => mayBeLfsPointer(bytes))) {
    if (!isLfsPointer(await readFile(join(target, path)))) continue
    await rm(join(target, path))
    found.push({ file: path, reason: lfsReason })
  }
  return found
}
