import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isolate } from '@docket/sources/git/git'
import type { DeliveredFile } from '#delivery-target.ts'

export type NewCommit = {
  parent: string | null
  message: string
  removed: readonly string[]
  files: AsyncIterable<{ path: string; sizeBytes: number; content: AsyncIterable<Buffer> }>
}

const person = 'Docket <docket@localhost>'

const startGit = (gitDir: string, args: readonly string[], signal: AbortSignal) => {
  const { settings, env } = isolate(gitDir)
  const child = spawn('git', [...settings, ...args], { cwd: gitDir, env, stdio: 'pipe', signal, killSignal: 'SIGKILL' })
  const ended = once(child, 'close') as Promise<[number | null]>
  // A waiting caller gets the failure; without one, it must not be an unhandled rejection.
  ended.catch(() => {})
  child.stderr.resume()
  return { child, ended }
}

/** Writes a commit to the branch `ref` of a bare repository, without a working tree. Files go through memory in pieces. */
export const writeCommit = async (
  gitDir: string,
  ref: string,
  commit: NewCommit,
  signal: AbortSignal,
): Promise<void> => {
  const { child, ended } = startGit(gitDir, ['fast-import', '--quiet', '--done', '--date-format=raw'], signal)
  child.stdout.resume()
  try {
    await pipeline(Readable.from(describeCommit(ref, commit)), child.stdin, { signal })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  const [code] = await ended
  if (code !== 0) throw new Error('git fast-import failed')
}

/** A path between quotes, as git reads it: bytes that could end it, or its line, are octal numbers. */
const quotePath = (path: string) => {
  const bytes = Buffer.from(path).toString('latin1')
  return `"${bytes.replaceAll(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
}

async function* describeCommit(ref: string, { parent, message, removed, files }: NewCommit): AsyncGenerator<Buffer> {
  const seconds = Math.floor(Date.now() / 1000)
  const head = [
    `commit ${ref}`,
    `committer ${person} ${seconds} +0000`,
    `data ${Buffer.byteLength(message)}`,
    message,
    ...(parent === null ? [] : [`from ${parent}`]),
    ...removed.map((path) => `D ${quotePath(path)}`),
  ]
  yield Buffer.from(`${head.join('\n')}\n`)
  for await (const { path, sizeBytes, content } of files) {
    yield Buffer.from(`M 100644 inline ${quotePath(path)}\ndata ${sizeBytes}\n`)
    let bytes = 0
    for await (const chunk of content) {
      bytes += chunk.length
      // git would read further bytes as commands.
      if (bytes > sizeBytes) break
      yield chunk
    }
    if (bytes !== sizeBytes) throw new Error('A file of the bundle has another size than its manifest says.')
    yield Buffer.from('\n')
  }
  yield Buffer.from('\ndone\n')
}

/** Null for a missing file. Yields one hash after the other, in the order of the files. */
export async function* hashCommitFiles(
  gitDir: string,
  commit: string,
  files: readonly DeliveredFile[],
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<{ file: DeliveredFile; sha256: string | null }> {
  const { child, ended } = startGit(gitDir, ['cat-file', '--batch'], signal)
  const names = files.map(({ path }) => `${commit}:${folder}${path}\n`)
  const sent = pipeline(Readable.from(names), child.stdin)
  sent.catch(() => {})
  const output = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await output.next()
    if (done === true) throw new Error('git cat-file ended early')
    held = held.length === 0 ? value : Buffer.concat([held, value])
  }
  try {
    for (const file of files) {
      let end = held.indexOf(10)
      while (end === -1) {
        await more()
        end = held.indexOf(10)
      }
      const line = held.subarray(0, end).toString()
      held = held.subarray(end + 1)
      const size = /^[0-9a-f]{40,64} blob (\d+)$/.exec(line)?.[1]
      if (size === undefined) {
        yield { file, sha256: null }
        continue
      }
      const hash = createHash('sha256')
      let left = Number(size)
      while (left > 0) {
        if (held.length === 0) await more()
        const part = held.subarray(0, left)
        hash.update(part)
        left -= part.length
        held = held.subarray(part.length)
      }
      while (held.length === 0) await more()
      held = held.subarray(1)
      yield { file, sha256: hash.digest('hex') }
    }
    await sent
    await ended
  } finally {
    child.kill('SIGKILL')
  }
}
