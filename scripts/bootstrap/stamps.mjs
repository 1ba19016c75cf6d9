import { createHash } from 'node:crypto'
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the installed packages, so that deleting those deletes what is remembered about them. */
const folder = (root) => join(root, 'node_modules', '.docket')

/** Value stored under a name, or null. */
export const readStamp = (root, name) => {
  try {
    return readFileSync(join(folder(root), name), 'utf8')
  } catch {
    return null
  }
}

/** Remembers a text under a name until `node_modules` is deleted. */
export const writeStamp = (root, name, text) => {
  mkdirSync(folder(root), { recursive: true })
  writeFileSync(join(folder(root), name), text)
}

/** Where a program is kept until `node_modules` is deleted. In a folder of its own, for the path. */
export const keptPath = (root, name) => join(folder(root), 'bin', name)

/** Keeps a program: as another name of the same file, or as a copy on another disk. Returns its path. */
export const keepFile = (root, name, path) => {
  const kept = keptPath(root, name)
  mkdirSync(join(folder(root), 'bin'), { recursive: true })
  rmSync(kept, { force: true })
  try {
    linkSync(path, kept)
  } catch {
    copyFileSync(path, kept)
  }
  return kept
}

const notSource = new Set(['node_modules', 'dist', '.turbo', 'coverage'])

const filesUnder = (path) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => !notSource.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]))
    .toSorted((a, b) => (a < b ? -1 : 1))

/** One hash over names and contents of files and of everything under folders. */
export const hashFiles = (root, paths, extra = []) => {
  const hash = createHash('sha256')
  for (const text of extra) hash.update(`${text}\0`)
  for (const path of paths) {
    const full = join(root, path)
    let files
    try {
      files = filesUnder(full)
    } catch {
      files = [full]
    }
    for (const file of files)
      hash
        .update(`${file.slice(root.length)}\0`)
        .update(readFileSync(file))
        .update('\0')
  }
  return hash.digest('hex')
}

/** The manifests that decide what is installed. */
export const manifests = (root) => [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  ...['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${group}/${entry.name}/package.json`),
  ),
]
