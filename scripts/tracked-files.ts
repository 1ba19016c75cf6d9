import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A file of the repository: its path from the top, with slashes, and its text, unpacked from gzip; empty if binary. */
export type TrackedFile = { path: string; text: string }

const readText = (path: string): string | null => {
  try {
    const bytes = readFileSync(path)
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    return text.includes('\0') ? '' : text
  } catch {
    // Deleted or a link to nowhere: what is not there holds nothing.
    return null
  }
}

/** Every file git tracks, and every one it would take with the next `git add`. Throws outside of a clone. */
export const trackedFiles = (root: string): TrackedFile[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '')
    .flatMap((path) => {
      const text = readText(join(root, path))
      return text === null ? [] : [{ path, text }]
    })
