import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { readFiles, withCpu } from './clients.ts'
import { memoryMb } from './usage.ts'

export const mib = 1_048_576

/** Writes random bytes. Throws when the disk has too little room. */
export const makeFile = async (file: string, sizeBytes: number) => {
  const { bavail, bsize } = await statfs(join(file, '..'))
  if (bavail * bsize < sizeBytes + 512 * mib) throw new Error('There is too little room for the file on the disk.')
  const block = randomBytes(16 * mib)
  const stream = createWriteStream(file)
  for (let sentBytes = 0; sentBytes < sizeBytes; sentBytes += block.length)
    if (!stream.write(block)) await new Promise<void>((resolve) => void stream.once('drain', resolve))
  stream.end()
  await finished(stream)
}

/** Downloads a file once. Throws unless all of it arrives. */
export const readWhole = async (pid: number, url: string, sizeBytes: number) => {
  const { result, cpu } = await withCpu([pid], () => readFiles({ url, readers: 1 }))
  if (result.bytes < sizeBytes || result.statuses.some((status) => status !== 200))
    throw new Error(`the download of ${url} broke off: ${JSON.stringify(result)}`)
  return { mbPerSecond: result.bytes / 1e6 / result.seconds, cpu: cpu[0]! }
}

/** The most memory `pid` has while `work` runs, looked at ten times a second. MB. */
export const peakMb = async (pid: number, work: Promise<unknown>): Promise<number> => {
  let peak = 0
  let done = false
  void work.finally(() => (done = true)).catch(() => {})
  while (!done) {
    peak = Math.max(peak, memoryMb(pid))
    await delay(100)
  }
  await work
  return peak
}
