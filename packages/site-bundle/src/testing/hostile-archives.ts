import { packTar, type TarEntry } from 'modern-tar'
import { crc32, deflateRawSync } from 'node:zlib'
import { createCentralHeader, createEndRecord, createLocalHeader } from '#archive/zip-format.ts'

/** Packs entries whatever their names are. */
export const packEntries = async (...entries: TarEntry[]): Promise<Buffer> => Buffer.from(await packTar(entries))

/** A small file of a tar. A `pax` path wins over the name, and may hold any character. */
export const tarFile = (name: string, body = 'x', pax?: Record<string, string>): TarEntry => ({
  header: { name, size: Buffer.byteLength(body), mtime: new Date(0), ...(pax && { pax }) },
  body,
})

export const tarLink = (name: string, linkname: string, type: 'symlink' | 'link' = 'symlink'): TarEntry => ({
  header: { name, linkname, type, size: 0 },
})

/** Replaces ASCII names in the headers of a tar by bytes of the same length. */
export const renameInTar = (tar: Buffer, name: string, bytes: Buffer): Buffer => {
  const changed = Buffer.from(tar.toString('latin1').replaceAll(name, bytes.toString('latin1')), 'latin1')
  for (let at = 0; at < changed.length; at += 512) {
    const block = changed.subarray(at, at + 512)
    if (block.toString('latin1', 257, 262) !== 'ustar') continue
    block.fill(' ', 148, 156)
    const sum = block.reduce((total, byte) => total + byte, 0)
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  }
  return changed
}

/** One entry of a ZIP, and false claims about it. */
export type HostileEntry = {
  path: string | Buffer
  content?: string | Buffer
  /** Another name in front of the content. */
  localPath?: string
  /** False values in the directory. */
  claims?: { sizeBytes?: number; compressedBytes?: number; crc32?: number; offset?: number }
  isStored?: boolean
  /** Type and permissions as Unix has them. */
  mode?: number
  method?: number
  flags?: number
  /** Number of the system that made it, 3 for Unix. */
  system?: number
}

/** A ZIP with exactly these claims. `entries` replaces the number of entries. */
export const packZip = (files: readonly HostileEntry[], entries = files.length): Buffer => {
  const body: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of files) {
    const { path, content = 'x', localPath = path, claims = {}, isStored = true, mode, method, flags, system } = entry
    const plain = Buffer.from(content)
    const bytes = isStored ? plain : deflateRawSync(plain)
    const sizes = { sizeBytes: plain.length, compressedBytes: bytes.length, crc32: crc32(plain) }
    const record = { path: Buffer.from(path), offset, isStored, ...sizes, ...claims }
    const [local, central] = [
      createLocalHeader({ ...record, path: Buffer.from(localPath) }),
      createCentralHeader(record),
    ]
    if (mode !== undefined) central.writeUInt32LE((mode << 16) >>> 0, 38)
    if (method !== undefined) central.writeUInt16LE(method, 10)
    if (flags !== undefined) central.writeUInt16LE(flags, 8)
    if (system !== undefined) central.writeUInt8(system, 5)
    body.push(local, bytes)
    directory.push(central)
    offset += local.length + bytes.length
  }
  const end = offset + directory.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([...body, ...directory, createEndRecord({ entries, start: offset, end })])
}
