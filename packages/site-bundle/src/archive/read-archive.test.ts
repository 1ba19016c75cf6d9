import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { usualBounds } from '#bounds.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readArchive } from './read-archive.ts'

const write = async (bytes: Uint8Array) => {
  const file = join(await temporaryFolder(), 'bundle')
  await writeFile(file, bytes)
  return file
}

const readAll = async (bytes: Uint8Array) => {
  const files: Record<string, string> = {}
  const result = await readArchive(await write(bytes), usualBounds, async ({ path, sizeBytes, content }) => {
    const whole = await buffer(content)
    expect(whole.length).toBe(sizeBytes)
    files[path] = whole.toString()
  })
  return { result, files }
}

const zip = async (files: Readonly<Record<string, string>>) => {
  const writer = new ZipFile()
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) writer.addEmptyDirectory(path)
    else writer.addBuffer(Buffer.from(content), path)
  }
  writer.end()
  return buffer(writer.outputStream)
}

const tar = (files: Readonly<Record<string, string>>) =>
  packTar(
    Object.entries(files).map(([name, body]): TarEntry =>
      name.endsWith('/')
        ? { header: { name, size: 0, type: 'directory' } }
        : { header: { name, size: Buffer.byteLength(body) }, body },
    ),
  )

const long = `${'folder/'.repeat(20)}${'name-'.repeat(30)}.html`
const files = { 'index.html': 'home'.repeat(100_000), 'guide/größe.html': 'ö', [long]: 'long', 'empty.css': '' }

test.each(['.tar.gz', '.tar.zst', '.tar', '.zip'] as const)(
  'a %s is recognised by its bytes and read completely',
  async (ending) => {
    const bytes = ending === '.zip' ? await zip(files) : await tar(files)
    const pack = { '.tar.gz': gzipSync, '.tar.zst': zstdCompressSync, '.tar': Buffer.from, '.zip': Buffer.from }[ending]
    const { result, files: found } = await readAll(pack(bytes))
    expect(found).toEqual(files)
    expect(result).toMatchObject({ ending, contentBytes: 400_006 })
  },
)

test('folders, leading dots and doubled slashes are harmless', async () => {
  const harmless = { './': '', './guide/': '', './guide//index.html': 'a', 'guide/./other.html': 'b' }
  for (const bytes of [
    await tar(harmless),
    gzipSync(await tar(harmless)),
    await zip({ 'guide/': '', 'guide/index.html': 'a', 'guide/other.html': 'b' }),
  ])
    expect((await readAll(bytes)).files).toEqual({ 'guide/index.html': 'a', 'guide/other.html': 'b' })
})

test('long names in GNU tar format are read', async () => {
  const name = `${'deep/'.repeat(30)}index.html`
  const header = Buffer.from(
    await packTar([
      { header: { name: '././@LongLink', size: name.length + 1, type: 'gnu-long-name' }, body: `${name}\0` },
    ]),
  )
  const file = Buffer.from(await packTar([{ header: { name: name.slice(0, 99), size: 1 }, body: 'x' }]))
  expect((await readAll(Buffer.concat([header.subarray(0, -1024), file]))).files).toEqual({ [name]: 'x' })
})

/** Puts a frame without content behind it, so that all has `sizeBytes`. */
const padZstd = (frame: Buffer, sizeBytes: number) => {
  const empty = Buffer.alloc(sizeBytes - frame.length)
  empty.writeUInt32LE(0x184d2a50, 0)
  empty.writeUInt32LE(empty.length - 8, 4)
  return Buffer.concat([frame, empty])
}

test('padding after the end and a missing end are no part of an archive', async () => {
  const whole = Buffer.from(await tar({ 'index.html': 'home' }))
  const packed = await zip({ 'index.html': 'home' })
  const zeros = Buffer.alloc(10_240)
  for (const bytes of [
    whole.subarray(0, -1024),
    whole.subarray(0, -512),
    Buffer.concat([whole, zeros]),
    Buffer.concat([gzipSync(whole), zeros]),
    Buffer.concat([gzipSync(whole), Buffer.alloc(1)]),
    Buffer.concat([gzipSync(whole), Buffer.alloc(700_001)]),
    // The frame ends where the first piece of the file does.
    Buffer.concat([padZstd(zstdCompressSync(whole), 256 * 1024), Buffer.alloc(2)]),
    Buffer.concat([zstdCompressSync(whole), Buffer.alloc(1)]),
    gzipSync(whole.subarray(0, -1024)),
    gzipSync(Buffer.concat([whole, zeros])),
    Buffer.concat([zstdCompressSync(whole), zeros]),
    Buffer.concat([zstdCompressSync(whole), Buffer.alloc(700_001)]),
    Buffer.concat([packed, Buffer.from('\n')]),
    Buffer.concat([packed, Buffer.from('\r\n')]),
    Buffer.concat([packed, zeros]),
  ])
    expect((await readAll(bytes)).files).toEqual({ 'index.html': 'home' })
})

test('members of gzip and frames of zstd that follow each other are one archive', async () => {
  const whole = Buffer.from(await tar(files))
  for (const pack of [gzipSync, zstdCompressSync]) {
    const parts = [0, 100, 5_000, 300_000].map((at, index, all) => pack(whole.subarray(at, all[index + 1])))
    expect((await readAll(Buffer.concat(parts))).files).toEqual(files)
  }
})

test('unread content is skipped, and an error of the reader is passed on', async () => {
  for (const bytes of [await tar(files), gzipSync(await tar(files)), await zip(files)]) {
    const paths: string[] = []
    await readArchive(await write(bytes), usualBounds, async ({ path, content }) => {
      paths.push(path)
      for await (const piece of content) return void piece
    })
    expect(paths.toSorted()).toEqual(Object.keys(files).toSorted())
    const failing = readArchive(await write(bytes), usualBounds, () => Promise.reject(new Error('The disk is full')))
    await expect(failing).rejects.toThrow('The disk is full')
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(readArchive(await write(bytes), usualBounds, async () => {}, signal)).rejects.toThrow('stopped')
  }
})
