import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'

/**
 * Packs `folder` as a tar.gz that depends on names and contents alone: sorted, no times, no owners, fixed modes. The same content has
 * the same SHA-256 on any machine. The file appears whole or not at all.
 */
export const writeArchive = async (folder: string, archive: string): Promise<void> => {
  await mkdir(dirname(archive), { recursive: true })
  const temporary = `${archive}.${process.pid}.tmp`
  try {
    await pipeline(
      packTar(await listEntries(folder)),
      createGzip({ level: 6, chunkSize: 256 * 1024 }),
      createWriteStream(temporary),
    )
    const handle = await open(temporary, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, archive)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const listEntries = async (folder: string) => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const fixed = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '', mode: 0o644 }
  return files
    .map((entry): TarSource & { target: string } => {
      const source = join(entry.parentPath, entry.name)
      return {
        type: 'file',
        source,
        target: source
          .slice(folder.length + 1)
          .split('\\')
          .join(posix.sep),
        ...fixed,
      }
    })
    .toSorted((a, b) => (a.target < b.target ? -1 : 1))
}
