import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'

/** Packs a bundle (`.tar.gz`) of texts by their paths. */
export const packSite = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body), mtime: new Date(0) },
    body,
  }))
  return gzipSync(await packTar(entries))
}
