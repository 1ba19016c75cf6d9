import { createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'

/** Packs a folder as `tar.gz`. The same content has the same SHA-256 on every machine. */
export const packFolder = async (folder: string, archive: string): Promise<void> =>
  pipeline(
    packTar(await listEntries(folder)),
    createGzip({ level: 6, chunkSize: 256 * 1024 }),
    createWriteStream(archive, { flush: true }),
  )

const listEntries = async (folder: string) => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const fixed = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '', mode: 0o644 }
  return files
    .map((entry): TarSource & { target: string } => {
      const source = join(entry.parentPath, entry.name)
      return {
        type: 'file',
        source,
        target: relative(folder, source).replaceAll(sep, '/'),
        ...fixed,
      }
    })
    .toSorted((a, b) => (a.target < b.target ? -1 : 1))
}
