import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Text of a file name, or null when its bytes are not UTF-8: no other program could find the file by the text. */
export const decodeName = (bytes: Buffer): string | null => {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : null
}

/** A name that is not UTF-8, for people: its ASCII part as it is, all other bytes as `\xNN`. */
export const escapeName = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Entries of a folder; `name` is null when it is not UTF-8. */
export const readFolder = async (
  root: string,
  folder: string,
): Promise<{ name: string | null; bytes: Buffer; entry: Dirent<Buffer> }[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' })
  return entries.map((entry) => ({ name: decodeName(entry.name), bytes: entry.name, entry }))
}
