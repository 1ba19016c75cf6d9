import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { syncToDisk } from '#ground/data-folder.ts'
import { type ByteStep, openReadableBackup, type OpenWith, type ReadableBackup } from './encryption.ts'
import { BackupRefused, Manifest, manifestName } from './manifest.ts'
import { createTarDecoder } from 'modern-tar'

// One block after the end of the tar, which tar itself does not read.
const sealBytes = 512

const makeSeal = (sha256: string): Buffer => {
  const seal = Buffer.alloc(sealBytes)
  seal.write(`docket backup\nsha256 of everything before this block: ${sha256}\n`)
  return seal
}

/** The private file appears whole or not at all. It ends with the checksum of its bytes, encrypted with the rest. */
export const writeSealed = async (file: string, content: Readable, encrypt: ByteStep | null): Promise<void> => {
  const unfinished = `${file}.unfinished`
  const hash = createHash('sha256')
  const sealing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => done(null, makeSeal(hash.digest('hex'))),
  })
  const target = () => createWriteStream(unfinished, { mode: 0o600 })
  try {
    if (encrypt === null) await pipeline(content, sealing, target())
    else await pipeline(content, sealing, encrypt, target())
    await syncToDisk(unfinished)
    await rename(unfinished, file)
    await syncToDisk(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function* takeBytes(source: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes
  for await (const chunk of source as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

/** Reads a whole file and returns its size before the seal. Null when any byte was changed. */
const verifySeal = async ({ sizeBytes, read }: ReadableBackup): Promise<number | null> => {
  const contentBytes = sizeBytes - sealBytes
  if (contentBytes <= 0) return null
  const hash = createHash('sha256')
  const seal: Buffer[] = []
  let position = 0
  for await (const bytes of (await read()) as AsyncIterable<Uint8Array>) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const content = chunk.subarray(0, Math.max(0, contentBytes - position))
    hash.update(content)
    if (content.length < chunk.length) seal.push(chunk.subarray(content.length))
    position += chunk.length
  }
  return Buffer.concat(seal).equals(makeSeal(hash.digest('hex'))) ? contentBytes : null
}

/** Opens a sealed file, reads it once and returns a function that reads it without the seal. Throws `BackupRefused`. */
export const readSealed = async (file: string, openWith: OpenWith | null): Promise<() => Promise<Readable>> => {
  const damaged = () =>
    new BackupRefused(
      `${file} is not a whole backup of Docket: it was cut off or altered. Take another one. Nothing was changed.`,
    )
  try {
    const backup = await openReadableBackup(file, openWith)
    const contentBytes = await verifySeal(backup)
    if (contentBytes === null) throw damaged()
    return async () => Readable.from(takeBytes(await backup.read(), contentBytes), { objectMode: false })
  } catch (error) {
    // Bytes that do not decrypt were altered; errors of the disk have codes.
    throw error instanceof BackupRefused || (error instanceof Error && 'code' in error) ? error : damaged()
  }
}

/** One file of a backup. Read its content before the next one. */
export type Entry = { name: string; content: Readable }

async function* readEntries(read: () => Promise<Readable>): AsyncGenerator<Entry> {
  const bytes = Readable.toWeb(await read())
  const entries = (bytes as ReadableStream<Uint8Array>).pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of entries as AsyncIterable<{ header: { name: string }; body: ReadableStream }>)
    yield { name: header.name, content: Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) }
}

/** Opens a backup after checking every byte. `entries` are the files after the manifest. Throws `BackupRefused`. */
export const readBackup = async (
  file: string,
  openWith: OpenWith | null,
): Promise<{ manifest: Manifest; entries: AsyncGenerator<Entry> }> => {
  const entries = readEntries(await readSealed(file, openWith))
  const first = await entries.next()
  if (first.done === true || first.value.name !== manifestName)
    throw new BackupRefused(`${file} is not a backup of Docket.`)
  const parsed = Manifest.safeParse(JSON.parse(await text(first.value.content)))
  if (!parsed.success)
    throw new BackupRefused(`${file} was written by another version of Docket, whose backups this one cannot read.`)
  return { manifest: parsed.data, entries }
}
