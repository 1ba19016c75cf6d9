import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { diskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { readArchive } from '#archive/read-archive.ts'
import { readZipDirectory } from '#archive/zip-directory.ts'
import { createZip } from '#archive/zip-writer.ts'
import type { BundleFile, Manifest } from '#manifest.ts'
import { readMediaType } from '#media-type.ts'
import type { AnalysisOrder } from './messages.ts'

/** Files up to this size are compressed whole, which is faster. */
const wholeBytes = 1024 ** 2
const zipName = 'site.zip'

/** Writes the files of an archive to `site.zip` in `folder`, and lists them. */
export const writeFiles = async (
  { file, folder, bounds }: AnalysisOrder,
  onBytes: (archiveBytes: number) => void,
): Promise<Pick<Manifest, 'ending' | 'contentBytes' | 'files'>> => {
  const files: BundleFile[] = []
  const zip = await createZip(join(folder, zipName))
  try {
    const { ending, contentBytes } = await readArchive(
      file,
      bounds,
      async ({ path, sizeBytes, content, archiveBytes }) => {
        const hash = createHash('sha256')
        const hashed = async function* () {
          for await (const piece of content) {
            hash.update(piece)
            yield piece
          }
        }
        if (sizeBytes <= wholeBytes) {
          const pieces: Uint8Array[] = []
          for await (const piece of hashed()) pieces.push(piece)
          await zip.add(path, Buffer.concat(pieces))
        } else await zip.add(path, hashed())
        files.push({ path, sizeBytes, sha256: hash.digest('hex'), type: readMediaType(path) })
        onBytes(archiveBytes)
      },
    )
    await zip.end()
    return { ending, contentBytes, files }
  } finally {
    await zip.close()
  }
}

/** Opens the `site.zip` that `writeFiles` wrote. `read` takes a path of the archive. */
export const openFiles = async (folder: string) => {
  const entries = await readZipDirectory(diskStorage(folder), zipName)
  const handle = await open(join(folder, zipName))
  return {
    read: async (path: string): Promise<Buffer> => {
      const entry = entries?.get(path)
      if (entry === undefined) throw new Error('The files of the bundle were not written')
      const bytes = Buffer.alloc(entry.compressedBytes)
      // Nothing else happens in this process meanwhile.
      readSync(handle.fd, bytes, 0, bytes.length, entry.offset + entry.headerBytes)
      return entry.isStored ? bytes : inflateRawSync(bytes, { maxOutputLength: entry.sizeBytes + 1 })
    },
    close: () => handle.close(),
  }
}
