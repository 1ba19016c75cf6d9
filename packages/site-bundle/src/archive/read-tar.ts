import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import {
  ArchiveRefused,
  throwRefusal,
  type ArchiveReading,
  type OnFile,
  throwFileRefusal,
  throwTotalRefusal,
  quoteName,
} from './archive-file.ts'
import { createEntryPaths, type EntryPaths } from './entry-paths.ts'

const chunkBytes = 256 * 1024
const otherTypes: Readonly<Record<string, string>> = {
  symlink: 'is a symbolic link',
  link: 'is a hard link',
  fifo: 'is a pipe',
  'character-device': 'is a device',
  'block-device': 'is a device',
}

export const readTar = async (reading: ArchiveReading & { isGzip: boolean }, onFile: OnFile): Promise<void> => {
  const { file, bounds, isGzip } = reading
  const source = createReadStream(file, { highWaterMark: chunkBytes })
  const decoder = createTarDecoder({ strict: true })
  const fed = feedDecoder(isGzip ? inflateArchive(source, reading) : source, decoder.writable, reading)
  const paths = createEntryPaths(bounds)
  let last: string | null = null
  try {
    for await (const entry of decoder.readable) {
      last = entry.header.name
      await readEntry(entry, { paths, reading, archiveBytes: source.bytesRead }, onFile)
    }
    await fed.done
  } catch (error) {
    // The source of the decoder's input knows the reason better.
    throw fed.problem() ?? explainTarFailure(error, last, isGzip)
  } finally {
    source.destroy()
  }
}

const readEntry = async (
  { header, body }: ParsedTarEntry,
  around: { paths: EntryPaths; reading: ArchiveReading; archiveBytes: number },
  onFile: OnFile,
) => {
  const { paths, reading, archiveBytes } = around
  const { name, size: sizeBytes, type } = header
  const other = otherTypes[type ?? '']
  if (other !== undefined) throwRefusal(`${quoteName(name)} ${other}.`)
  if (type === 'directory') {
    paths.addFolder(name)
    return body.cancel()
  }
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse.')))
    throwRefusal(`${quoteName(name)} is stored with holes, which Docket does not read.`)
  throwFileRefusal(name, sizeBytes, reading.bounds)
  const path = paths.addFile(name)
  let isUsed = false
  const content = {
    [Symbol.asyncIterator]: () => {
      isUsed = true
      return body[Symbol.asyncIterator]()
    },
  }
  await onFile({ path, sizeBytes, content, archiveBytes })
  if (!isUsed) await body.cancel()
}

const feedDecoder = (
  source: AsyncIterable<Buffer>,
  writable: WritableStream<Uint8Array>,
  { bounds, sizeBytes, signal }: ArchiveReading,
) => {
  let problem: unknown = null
  const writer = writable.getWriter()
  const run = async () => {
    let total = 0
    try {
      for await (const chunk of source) {
        signal?.throwIfAborted()
        total += chunk.length
        throwTotalRefusal(total, sizeBytes, bounds)
        await writer.ready
        // A failure shows at `ready` or `close`.
        writer.write(chunk).catch(() => {})
      }
      await writer.close()
    } catch (error) {
      const isOurs = error instanceof ArchiveRefused || signal?.aborted === true || isSystemError(error)
      if (isOurs) problem = error
      await writer.abort(error).catch(() => {})
      throw error
    }
  }
  const done = run()
  done.catch(() => {})
  writer.closed.catch(() => {})
  return { done, problem: () => problem }
}

async function* inflateArchive(source: Readable, { sizeBytes }: ArchiveReading): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  pipeline(source, gunzip, () => {})
  yield* gunzip as AsyncIterable<Buffer>
  if (gunzip.bytesWritten < sizeBytes) throwRefusal(sentences.followed)
}

const sentences = {
  incomplete: 'The archive ends too early. It is incomplete.',
  followed: 'Something else follows the end of the archive.',
}
const tarMessages: Readonly<Record<string, string>> = {
  'Tar archive is truncated.': sentences.incomplete,
  'Invalid EOF.': sentences.followed,
}
const isTarMessage = (message: string) =>
  message in tarMessages || /^(Invalid tar |Tar |TAR |Too many global)/.test(message)

/** The refusal that an error of the decoder or of zlib stands for; any other error as it is. `last` is the entry before it. */
const explainTarFailure = (error: unknown, last: string | null, isGzip: boolean): unknown => {
  if (!(error instanceof Error) || error instanceof ArchiveRefused) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'Z_BUF_ERROR') return new ArchiveRefused('refused', sentences.incomplete)
  // The archive began with a good header, so this is about a second one.
  if (error.message === 'incorrect header check') return new ArchiveRefused('refused', sentences.followed)
  const isDamaged = code.startsWith('Z_')
  if (!isDamaged && !isTarMessage(error.message)) return error
  const sentence = tarMessages[error.message]
  if (sentence !== undefined && last !== null) return new ArchiveRefused('refused', sentence)
  if (last !== null || isDamaged)
    return new ArchiveRefused('refused', `The archive is damaged${last === null ? '' : ` after ${quoteName(last)}`}.`)
  const found = isGzip
    ? 'This is a gzip file without a tar archive in it.'
    : 'This is not a tar.gz, tar or zip archive.'
  return new ArchiveRefused('not_an_archive', found)
}

const isSystemError = (error: unknown) => error instanceof Error && 'syscall' in error
