import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BackupRefused } from './refused.ts'

// One block of a tar, after the blocks that end it, where tar itself no longer looks.
const sealBytes = 512

const sealOf = (sha256: string): Buffer => {
  const seal = Buffer.alloc(sealBytes)
  seal.write(`docket backup\nsha256 of everything before this block: ${sha256}\n`)
  return seal
}

const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file that appears whole under its name, on the disk and for this user only, or not at all, and ends it with the
 * checksum of its bytes.
 */
export const writeSealed = async (file: string, content: Readable): Promise<void> => {
  const unfinished = `${file}.unfinished`
  const hash = createHash('sha256')
  const sealing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => done(null, sealOf(hash.digest('hex'))),
  })
  try {
    await pipeline(content, sealing, createWriteStream(unfinished, { mode: 0o600 }))
    await syncFile(unfinished)
    await rename(unfinished, file)
    await syncFile(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Reads the whole file and refuses one that is not, byte by byte, what was written. Gives the size of what is before the seal. */
export const verifySeal = async (file: string): Promise<number> => {
  const { size } = await stat(file).catch(() => {
    throw new BackupRefused(`There is no backup at ${file}.`)
  })
  const contentBytes = size - sealBytes
  const damaged = () =>
    new BackupRefused(
      `${file} is not a whole backup of Docket: it was cut off or altered. Take another one. Nothing was changed.`,
    )
  if (contentBytes <= 0) throw damaged()
  const hash = createHash('sha256')
  let seal = Buffer.alloc(0)
  let read = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    const content = chunk.subarray(0, Math.max(0, contentBytes - read))
    hash.update(content)
    seal = Buffer.concat([seal, chunk.subarray(content.length)])
    read += chunk.length
  }
  if (!seal.equals(sealOf(hash.digest('hex')))) throw damaged()
  return contentBytes
}
