import type { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

/** `end` is excluded. */
export type BlockSource = {
  sizeBytes: number
  read(start: number, end: number): Promise<Buffer>
}

/** Bytes read at once: stores answer few large requests faster than many small ones. */
const blockBytes = 1024 ** 2

/** yauzl reads each entry of a directory by two small reads, wherever the file sends it; this checks them, and answers from blocks. */
export class BlockReader extends RandomAccessReader {
  #block: { start: number; bytes: Buffer } | null = null
  readonly #source: BlockSource

  constructor(source: BlockSource) {
    super()
    this.#source = source
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const part = target.subarray(offset, offset + length)
    // yauzl throws at its callbacks, where a promise would swallow that.
    const answer = (error: Error | null) => process.nextTick(callback, error, length)
    if (this.#copy(part, position)) answer(null)
    else
      void this.#load(part, position).then(
        () => answer(null),
        (error: Error) => answer(error),
      )
  }

  override _readStreamForRange(): Readable {
    throw new TypeError('Only the directory is read through yauzl')
  }

  /** False when the block does not have all of it. */
  #copy(target: Buffer, position: number) {
    const block = this.#block
    if (block === null || position < block.start || position + target.length > block.start + block.bytes.length)
      return false
    block.bytes.copy(target, 0, position - block.start)
    return true
  }

  async #load(target: Buffer, position: number) {
    const { sizeBytes, read } = this.#source
    const end = position + target.length
    if (!Number.isSafeInteger(position) || end > sizeBytes) throw new Error('Beyond the end of the file')
    this.#block = {
      start: position,
      bytes: await read(position, Math.min(sizeBytes, Math.max(end, position + blockBytes))),
    }
    if (!this.#copy(target, position)) throw new Error('The file became shorter')
  }
}
