import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { unpackTar } from 'modern-tar'
import { expect, test } from 'vitest'
import { packTar, withDirectories, type Entry } from './pack.ts'

const longName = `node_modules/.pnpm/${'a'.repeat(120)}/${'b'.repeat(120)}/${'c'.repeat(60)}.js`
const entries: Entry[] = [
  { path: 'bin/docket', type: 'file', mode: 0o755, content: Buffer.from('#!/bin/sh\n') },
  { path: 'lib/libpq.so', type: 'symlink', mode: 0o777, target: 'libpq.so.5' },
  { path: longName, type: 'file', mode: 0o644, content: Buffer.alloc(70_000, 'x') },
  { path: 'data', type: 'directory', mode: 0o700, owner: 10_001 },
]
const mtime = new Date(1_700_000_000_000)
const pack = (some: readonly Entry[]) => buffer(packTar(withDirectories(some), mtime))

test('The order in which entries are found changes no byte of an archive', async () => {
  const [one, other] = await Promise.all([pack(entries), pack(entries.toReversed())])
  expect(createHash('sha256').update(one).digest('hex')).toBe(createHash('sha256').update(other).digest('hex'))
})

test('Entries keep content, mode and owner, have one time, and stand after the directory they are in', async () => {
  const found = await unpackTar(await pack(entries))
  const names = found.map(({ header }) => header.name)
  const at = (name: string) => found[names.indexOf(name)]
  expect(names.filter((name) => name.endsWith('/'))).toEqual(
    expect.arrayContaining(['bin/', 'data/', 'lib/', 'node_modules/', 'node_modules/.pnpm/']),
  )
  expect(names.indexOf('bin/')).toBeLessThan(names.indexOf('bin/docket'))
  expect(new Set(found.map(({ header }) => header.mtime?.getTime()))).toEqual(new Set([mtime.getTime()]))
  expect(at('bin/docket')?.header).toMatchObject({ mode: 0o755, uid: 0, gid: 0 })
  expect(at('data/')?.header).toMatchObject({ mode: 0o700, uid: 10_001, gid: 10_001 })
  expect(at('lib/libpq.so')?.header).toMatchObject({ type: 'symlink', linkname: 'libpq.so.5' })
  expect(at(longName)?.data).toHaveLength(70_000)
})
