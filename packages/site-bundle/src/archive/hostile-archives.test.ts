import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { usualBounds, type Bounds } from '#bounds.ts'
import { packEntries, packZip, tarFile, type HostileEntry } from '#testing/hostile-archives.ts'
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
  ['c:evil', /absolute path/],
  ['a\\..\\..\\evil', /backslash/],
  ['line\nbreak', /control character/],
  ['escape\u001b[2J', /control character/],
  ['nul\0.html', /control character/],
  [`${'long/'.repeat(10)}${'n'.repeat(1100)}`, /longer than 1,024 bytes/],
  [`${'d/'.repeat(40)}x`, /in more than 32 folders/],
]

test.each(names)('the name %j is refused in a tar and in a zip', async (name, sentence) => {
  // A tar has NUL and long names only in a header of its own.
  const tar = await packEntries(tarFile('index.html'), tarFile('replaced', 'x', { path: name }))
  expect(await refusal(gzipSync(tar))).toMatch(sentence)
  expect(await refusal(packZip([{ path: 'index.html' }, { path: name }]))).toMatch(sentence)
})

const pairs: [first: string, second: string, sentence: RegExp][] = [
  ['same.html', 'same.html', /twice/],
  ['same.html', './/same.html', /twice/],
  ['Guide.html', 'guide.HTML', /twice/],
  ['caf\u00e9.html', 'cafe\u0301.html', /twice/],
  ['guide', 'guide/index.html', /a file and a folder/],
  ['guide/index.html', 'GUIDE', /a file and a folder/],
  ['guide', 'guide/', /a file and a folder/],
]

test.each(pairs)('%j beside %j is refused in a tar and in a zip', async (first, second, sentence) => {
  const folder = { header: { name: second, size: 0, type: 'directory' as const } }
  const tar = await packEntries(tarFile(first), second.endsWith('/') ? folder : tarFile(second))
  expect(await refusal(tar)).toMatch(sentence)
  expect(await refusal(packZip([{ path: first }, { path: second, content: '' }]))).toMatch(sentence)
})

test('links, devices, pipes and sparse files are refused', async () => {
  for (const type of ['symlink', 'link', 'fifo', 'character-device', 'block-device'] as const)
    expect(
      await refusal(await packEntries({ header: { name: 'evil', size: 0, type, linkname: '../../etc' } })),
    ).toMatch(/^refused: “evil” is a (symbolic link|hard link|pipe|device)\.$/)
  expect(await refusal(await packEntries(tarFile('a', 'x', { 'GNU.sparse.major': '1' })))).toMatch(/holes/)
  for (const mode of [0o120777, 0o140777, 0o010666, 0o020666, 0o060666])
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
  expect(await refusal(gzipSync(gzipSync(await packEntries(tarFile('a')))))).toMatch(/^not_an_archive: .*without a tar/)
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
  for (const whole of [tar, gzipSync(tar), zip]) {
    expect(await refusal(whole)).toBe('accepted')
    for (const cut of [600, Math.floor(whole.length / 2), whole.length - 1_100, whole.length - 1].filter(
      (at) => at > 20 && at < whole.length,
    ))
      expect([cut, await refusal(whole.subarray(0, cut))]).toEqual([cut, expect.stringMatching(/^refused: /)])
    for (const rest of [Buffer.from('garbage'), whole])
      expect(await refusal(Buffer.concat([whole, rest]))).toMatch(/^refused: .*(follows|hidden)/)
  }
  expect(await refusal(Buffer.concat([gzipSync(tar), Buffer.alloc(512)]))).toMatch(/^refused: .*follows/)
  const compressed = gzipSync(tar)
  compressed[compressed.length - 6]! ^= 1
  expect(await refusal(compressed)).toMatch(/^refused: .*damaged/)
})

test('a file that is not an archive and an empty archive are each refused with that reason', async () => {
  for (const bytes of ['', 'x', '<html>'.repeat(200), 'PK', `BZh9${'x'.repeat(600)}`])
    expect([bytes.slice(0, 9), await refusal(Buffer.from(bytes))]).toEqual([
      bytes.slice(0, 9),
      'not_an_archive: This is not a tar.gz, tar or zip archive.',
    ])
  expect(await refusal(gzipSync('<html>'.repeat(200)))).toMatch(/^not_an_archive: .*without a tar/)
  expect(await refusal(gzipSync(''))).toMatch(/^(not_an_archive|refused): /)
  const folders = await packEntries({ header: { name: './', size: 0, type: 'directory' } })
  for (const bytes of [
    Buffer.alloc(10_240),
    gzipSync(Buffer.alloc(10_240)),
    folders,
    packZip([]),
    packZip([{ path: 'a/', content: '' }]),
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
