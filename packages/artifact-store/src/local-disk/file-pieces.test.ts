import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readFilePieces } from './file-pieces.ts'

const content = randomBytes(3_000_001)

const storedFile = async () => {
  const path = join(tmpdir(), `docket-pieces-${crypto.randomUUID()}`)
  await writeFile(path, content)
  onTestFinished(() => rm(path, { force: true }))
  return path
}

test.each([
  [0, 3_000_000],
  [0, 0],
  [524_287, 524_288],
  [1_000_000, 2_999_999],
])('bytes %i to %i are sent completely and in order, even if the file is removed meanwhile', async (start, end) => {
  const path = await storedFile()
  const pieces = readFilePieces(await open(path), { start, end })
  await rm(path)
  const server = createServer((_, response) => void pipeline(pieces, response)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(Buffer.from(await response.arrayBuffer()).equals(content.subarray(start, end + 1))).toBe(true)
})

test('a file that is shorter than expected fails the read and is closed', async () => {
  const path = await storedFile()
  const file = await open(path)
  await truncate(path, 1_000_000)
  const read = async () => {
    for await (const piece of readFilePieces(file, { start: 0, end: 3_000_000 }))
      expect(piece.length).toBeGreaterThan(0)
  }
  await expect(read()).rejects.toThrow('shorter')
  expect(file.fd).toBe(-1)
})

test('the file is closed when its reader stops early', async () => {
  const file = await open(await storedFile())
  for await (const piece of readFilePieces(file, { start: 0, end: 3_000_000 })) {
    expect(Buffer.compare(piece, content.subarray(0, 524_288))).toBe(0)
    break
  }
  expect(file.fd).toBe(-1)
})
