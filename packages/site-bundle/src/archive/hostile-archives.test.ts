import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { usualBounds, type Bounds } from '#bounds.ts'
import { packEntries, packZip, tarFile, tarLink, type HostileEntry } from '#testing/hostile-archives.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { ArchiveRefused } from './archive-file.ts'
import { readArchive } from './read-archive.ts'

/** Reads an archive, and proves that nothing appeared around it. */
const refusal = async (bytes: Uint8Array, bounds: Partial<Bounds> = {}) => {
  const file = join(await temporaryFolder(), 'work', 'bundle')
  await mkdir(dirname(file))
  await writeFile(file, bytes)
  const drain = async ({ content }: { content: AsyncIterable<Uint8Array> }) => {
    for await (const piece of content) void piece
  }
  const outcome = await readArchive(file, { ...usualBounds, ...bounds }, drain).then(
    () => 'accepted' as const,
    (error: unknown) => error,
  )
  expect(await readdir(join(dirname(file), '..'), { recursive: true })).toEqual(['work', 'work/bundle'])
  if (outcome === 'accepted') return outcome
  if (!(outcome instanceof ArchiveRefused)) throw outcome
  // A sentence, without the words of a library.
  expect(outcome.message).toMatch(/^[A-Z“][^\n]+\.$/u)
  return `${outcome.reason}: ${outcome.message}`
}

const names: [name: string, sentence: RegExp][] = [
  ['../evil', /leads out of the archive/],
  ['a/../../evil', /leads out of the archive/],
  ['a/..', /leads out of the archive/],
  ['/etc/passwd', /absolute path/],
  ['//host/share', /absolute path/],
  ['C:/Windows/x', /absolute path/],
  ['\\\\host\\share', /absolute path/],
  ['a\\..\\..\\evil', /leads out of the archive where a backslash/],
  [`${'long/'.repeat(10)}${'n'.repeat(1100)}`, /longer than 1,024 bytes/],
  [`${'d/'.repeat(40)}x`, /in more than 32 folders/],
]

test.each(names)('the name %j is refused in a tar and in a zip', async (name, sentence) => {
  // A tar has long names only in a header of its own.
  const tar = await packEntries(tarFile('index.html'), tarFile('replaced', 'x', { path: name }))
  expect(await refusal(gzipSync(tar))).toMatch(sentence)
  for (const system of [0, 3])
    expect(await refusal(packZip([{ path: 'index.html' }, { path: name, system }]))).toMatch(
      system === 0 ? /leads out|absolute|longer|folders/ : sentence,
    )
})

const outside = ['../../etc', '/etc/passwd', 'C:\\Windows', '../inside/../../x', 'inside/../../x']

test.each(outside)('a link to %j is refused in a tar and in a zip', async (target) => {
  const sentence = /^refused: “evil” is a symbolic link that leads out of the archive\.$/
  expect(await refusal(await packEntries(tarFile('inside/x'), tarLink('evil', target)))).toMatch(sentence)
  expect(await refusal(packZip([{ path: 'inside/x' }, { path: 'evil', content: target, mode: 0o120777 }]))).toMatch(
    sentence,
  )
  if (!target.startsWith('../inside'))
    expect(await refusal(await packEntries(tarFile('inside/x'), tarLink('evil', target, 'link')))).toMatch(
      /^refused: “evil” is a hard link that leads out/,
    )
})

test('a link that leads out through another link is refused', async () => {
  const tar = await packEntries(tarLink('a/up', '..'), tarLink('evil', 'a/up/../x'), tarFile('x'))
  expect(await refusal(tar)).toMatch(/“evil” is a symbolic link that leads out/)
})

test('copies of linked files count as files, folders and bytes', async () => {
  const links = Array.from({ length: 40 }, (_, n) => tarLink(`link-${n}`, 'folder'))
  const tar = await packEntries(tarFile('folder/a', 'x'.repeat(1_000)), tarFile('folder/b'), ...links)
  expect(await refusal(tar)).toBe('accepted')
  expect(await refusal(tar, { entries: 60 })).toMatch(/^too_large: .*files and folders/)
  expect(await refusal(tar, { contentBytes: 36_000 })).toMatch(/^too_large: The content of the archive is larger/)
  expect(await refusal(tar, { allPathBytes: 600 })).toMatch(/^too_large: The names of the files/)
})

test('links that multiply themselves are refused, or end', async () => {
  // Each folder shows the next one twice.
  const folders = Array.from({ length: 24 }, (_, n) => [
    tarLink(`${n}/left`, `../${n + 1}`),
    tarLink(`${n}/right`, `../${n + 1}`),
  ])
  const doubling = await packEntries(tarFile('24/x'), ...folders.flat())
  expect(await refusal(doubling, { entries: 5_000 })).toMatch(/^too_large: .*files and folders/)
  expect(
    await refusal(
      gzipSync(
        await packEntries(
          tarFile('a', 'x'.repeat(300_000)),
          ...Array.from({ length: 400 }, (_, n) => tarLink(`l${n}`, 'a')),
        ),
      ),
    ),
  ).toMatch(/times as large as the archive/)
  const circles = [
    tarLink('self', 'self'),
    tarLink('a', 'b'),
    tarLink('b', 'a'),
    tarLink('here', '.'),
    tarLink('d/up', '..'),
  ]
  expect(await refusal(await packEntries(tarFile('index.html'), ...circles))).toBe('accepted')
})

test('devices, pipes and sparse files are refused', async () => {
  for (const type of ['fifo', 'character-device', 'block-device'] as const)
    expect(await refusal(await packEntries({ header: { name: 'evil', size: 0, type } }))).toMatch(
      /^refused: “evil” is a (device|pipe)\.$/,
    )
  expect(await refusal(await packEntries(tarFile('a', 'x', { 'GNU.sparse.major': '1' })))).toMatch(/holes/)
  for (const mode of [0o140777, 0o010666, 0o020666, 0o060666])
    expect(await refusal(packZip([{ path: 'evil', content: '/etc/passwd', mode }]))).toMatch(/“evil” is a /)
})

test('too many files, too large a file or too large a total is refused while reading', async () => {
  const many = Array.from({ length: 300 }, (_, n) => ({ path: `f/${n}` }))
  const tar = await packEntries(...many.map(({ path }) => tarFile(path)))
  for (const bytes of [tar, gzipSync(tar), packZip(many)]) {
    expect(await refusal(bytes, { entries: 200 })).toBe('too_large: The archive has more than 200 files and folders.')
    expect(await refusal(bytes, { contentBytes: 200 })).toMatch(/^too_large: The content of the archive is larger/)
    expect(await refusal(bytes, { fileBytes: 0 })).toMatch(/^too_large: “f\/0” is larger than 0 MB/)
    expect(await refusal(bytes, { allPathBytes: 500 })).toMatch(/^too_large: The names of the files/)
  }
  // Each name makes many folders.
  const deep = Array.from({ length: 20 }, (_, n) => tarFile(`${`${n}/`.repeat(30)}x`))
  expect(await refusal(await packEntries(...deep), { entries: 300 })).toMatch(/^too_large: .*files and folders/)
})

test('a decompression bomb is refused before it is inflated', async () => {
  const bomb = '\0'.repeat(20 * 1024 ** 2)
  const ratio = 'refused: The content of the archive is more than 200 times as large as the archive.'
  expect(await refusal(gzipSync(await packEntries(tarFile('bomb', bomb))))).toBe(ratio)
  expect(await refusal(packZip([{ path: 'bomb', content: bomb, isStored: false }]))).toBe(ratio)
  // Zeros after the end are content, too.
  expect(await refusal(gzipSync(Buffer.concat([await packEntries(tarFile('a')), Buffer.alloc(20 * 1024 ** 2)])))).toBe(
    ratio,
  )
  // An archive in an archive is a file, however often it holds itself.
  expect(await refusal(gzipSync(gzipSync(await packEntries(tarFile('a')))))).toMatch(
    /^not_an_archive: .*compressed a second time/,
  )
})

test('wrong sizes and checksums are refused', async () => {
  const lies: HostileEntry[] = [
    { path: 'a', content: 'hello', isStored: false, claims: { sizeBytes: 2 } },
    { path: 'a', content: 'hello', isStored: false, claims: { sizeBytes: 9 } },
    { path: 'a', content: 'hello', claims: { sizeBytes: 2 } },
    { path: 'a', content: 'hello', claims: { sizeBytes: 2, compressedBytes: 2 } },
    { path: 'a', content: 'hello', claims: { sizeBytes: 5_000, compressedBytes: 5_000 } },
    { path: 'a', content: 'hello', claims: { crc32: 1 } },
    { path: 'a', content: 'hello', isStored: false, claims: { compressedBytes: 3 } },
    { path: 'a', content: 'hello', claims: { offset: 2 } },
    { path: 'a', content: 'hello', claims: { offset: 9_000 } },
    { path: 'a', content: 'hello', claims: { offset: 2 ** 52 } },
    { path: 'a', content: 'hello', localPath: 'b' },
    { path: 'a', method: 12 },
    { path: 'a', flags: 1 },
  ]
  for (const lie of lies)
    expect([lie, await refusal(packZip([lie]))]).toEqual([lie, expect.stringMatching(/^refused: /)])
  const short = await packEntries(tarFile('a', 'hello'))
  short.write('00000777777', 124)
  expect(await refusal(short)).toMatch(/^(refused|not_an_archive): /)
})

test('zip entries that share bytes are refused', async () => {
  const shared = [
    { path: 'a', content: 'hello' },
    { path: 'a2', localPath: 'a', claims: { offset: 0 } },
  ]
  expect(await refusal(packZip(shared))).toMatch(/^refused: .*(shares its bytes|another name)/)
  const kernel = packZip([
    {
      path: 'a',
      content: packZip([{ path: 'b' }])
        .subarray(0, 33)
        .toString('latin1'),
    },
    { path: 'b', claims: { offset: 31 } },
  ])
  expect(await refusal(kernel)).toMatch(/^refused: .*shares its bytes/)
})

test('a truncated archive or one with trailing data is refused', async () => {
  const tar = await packEntries(tarFile('index.html', 'hello'.repeat(1_000)), tarFile('other.html'))
  const zip = packZip([{ path: 'index.html', content: 'hello'.repeat(1_000) }])
  for (const whole of [tar, gzipSync(tar), zstdCompressSync(tar), zip]) {
    expect(await refusal(whole)).toBe('accepted')
    for (const cut of [600, Math.floor(whole.length / 2), whole.length - 1_100, whole.length - 1].filter(
      (at) => at > 20 && at < whole.length,
    ))
      expect([cut, await refusal(whole.subarray(0, cut))]).toEqual([cut, expect.stringMatching(/^refused: /)])
    for (const rest of [
      Buffer.from('garbage'),
      Buffer.concat([Buffer.alloc(10_240), Buffer.from('x'.repeat(512))]),
      Buffer.concat([Buffer.alloc(512), whole]),
    ])
      expect(await refusal(Buffer.concat([whole, rest]))).toMatch(/^refused: .*(follows|hidden)/)
  }
  // Parallel compressors of zstd write several frames.
  for (const whole of [tar, gzipSync(tar), zip])
    expect(await refusal(Buffer.concat([whole, whole]))).toMatch(/^refused: .*(follows|hidden)/)
  const compressed = gzipSync(tar)
  compressed[compressed.length - 6]! ^= 1
  expect(await refusal(compressed)).toMatch(/^refused: .*damaged/)
})

const others: [bytes: Buffer, sentence: RegExp][] = [
  [Buffer.from(''), /^not_an_archive: This is an empty file\./],
  [
    Buffer.from('x'),
    /^not_an_archive: This is plain text\. Docket reads \.tar\.gz, \.tar\.zst, \.tar and \.zip archives\./,
  ],
  [Buffer.from('PK'), /^not_an_archive: This is plain text/],
  [Buffer.from('Quota exceeded. Gr\xf6\xdfe: 5 GB'.repeat(40), 'latin1'), /^not_an_archive: This is plain text/],
  [Buffer.from('\ufeffNo', 'utf16le'), /^not_an_archive: This is plain text/],
  [Buffer.from('<html>'.repeat(200)), /^not_an_archive: This is a web page/],
  [Buffer.from('<?xml version="1.0"?><Error/>'), /^not_an_archive: This is XML/],
  [Buffer.from('{"error":1}'), /^not_an_archive: This is JSON/],
  [Buffer.from(`%PDF-1.7\n%\xe2\xe3${'x'.repeat(600)}`, 'latin1'), /^not_an_archive: This is a PDF document/],
  [Buffer.from(`BZh9${'x'.repeat(600)}`), /^not_an_archive: This is a \.bz2 archive, which Docket doesn’t read/],
  [Buffer.from('\xfd7zXZ\0\0\x04', 'latin1'), /^not_an_archive: This is an \.xz archive, which Docket doesn’t read/],
  [Buffer.alloc(2_000, 0x81), /^not_an_archive: This is a file of an unknown format/],
  [gzipSync('<html>'.repeat(200)), /^not_an_archive: This is a web page/],
  [zstdCompressSync('No such bundle'), /^not_an_archive: This is plain text/],
  [gzipSync(Buffer.alloc(2_000, 0x81)), /^not_an_archive: .*without a tar/],
  [gzipSync(''), /^refused: The archive has no files in it/],
]

test.each(others)('a file that is not an archive is refused with what it is (%#)', async (bytes, sentence) => {
  expect(await refusal(bytes)).toMatch(sentence)
})

test('an empty archive is refused with that reason', async () => {
  const folders = await packEntries({ header: { name: './', size: 0, type: 'directory' } })
  for (const bytes of [
    Buffer.alloc(10_240),
    gzipSync(Buffer.alloc(10_240)),
    folders,
    packZip([]),
    packZip([{ path: 'a/', content: '' }]),
    packZip([{ path: '__MACOSX/._a' }]),
  ])
    expect(await refusal(bytes)).toBe('refused: The archive has no files in it.')
})

test('a zip directory with wrong offsets is refused', async () => {
  const zip = packZip([{ path: 'a' }])
  for (const entries of [2, 65_534]) expect(await refusal(packZip([{ path: 'a' }], entries))).toMatch(/^refused: /)
  for (const offset of [5, zip.length, 0xffff_fffe]) {
    const lost = Buffer.from(zip)
    lost.writeUInt32LE(offset, zip.length - 6)
    expect(await refusal(lost)).toMatch(/^refused: /)
  }
  const far = packZip([{ path: 'a' }], 70_000)
  for (const offset of [0n, 2n ** 40n, 2n ** 53n, 2n ** 64n - 1n]) {
    // Where the second end of the directory is, and where the directory begins.
    for (const at of [far.length - 22 - 12, far.length - 22 - 20 - 8]) {
      const lost = Buffer.from(far)
      lost.writeBigUInt64LE(offset, at)
      expect(await refusal(lost)).toMatch(/^refused: /)
    }
  }
})
