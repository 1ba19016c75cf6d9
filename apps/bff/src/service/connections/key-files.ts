import { readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

const name = /^[\w][\w.-]{0,199}$/

/** No name can escape `folder`. Throws an `Error` that names the file and never its content. */
export const findKeyFile = async (folder: string | null, file: string): Promise<string> => {
  if (folder === null) throw new Error('Key files need CONNECTION_KEYS_DIR, which isn’t set.')
  const [inside, path] = await Promise.all([
    realpath(folder).catch(() => null),
    name.test(file) ? realpath(join(folder, file)).catch(() => null) : null,
  ])
  // A mounted secret is a symbolic link to a sibling folder of the same mount.
  if (inside === null || path === null || !path.startsWith(inside + sep))
    throw new Error(`There is no key file ${file} in CONNECTION_KEYS_DIR.`)
  return join(folder, file)
}

/** Null when `folder` is not set or cannot be read. */
export const listKeyFiles = async (folder: string | null): Promise<string[] | null> => {
  if (folder === null) return null
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  return (
    entries && entries.flatMap((entry) => (!entry.isDirectory() && name.test(entry.name) ? entry.name : [])).toSorted()
  )
}
