import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readAnswerBody } from './response-body.ts'

const maxBytes = 1_048_576
const large = Buffer.alloc(64 * maxBytes, 0x61)

// Runs in a process of its own, whose memory is nobody else's.
const unpackTogether = `
  const { readAnswerBody } = await import(${JSON.stringify(new URL('response-body.ts', import.meta.url).href)})
  const { brotliCompressSync, constants } = await import('node:zlib')
  // Whoever unpacks this has a window of 16 MiB.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const bomb = brotliCompressSync(Buffer.alloc(${64 * maxBytes}, 97), { params })
  const unpack = () => readAnswerBody(bomb, { 'content-encoding': 'br' }, ${maxBytes})
  await unpack()
  const before = process.resourceUsage().maxRSS
  const answers = await Promise.all(Array.from({ length: 32 }, unpack))
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024
  console.log(JSON.stringify({ grownMb, problems: [...new Set(answers.map(({ problem }) => problem))] }))
`

test('thirty simultaneous decompression bombs do not use thirty times the memory of one', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpackTogether])
  const { grownMb, problems } = JSON.parse(stdout) as { grownMb: number; problems: string[] }
  expect(problems).toEqual(['too_large'])
  expect(grownMb).toBeLessThan(200)
})

test('a body that cannot be decompressed does not block other bodies', async () => {
  const packed = gzipSync('{"status":"completed"}')
  const headers = { 'content-encoding': 'gzip' }
  const answers = [packed.subarray(0, 10), packed, gzipSync(large), packed].map((body) =>
    readAnswerBody(body, headers, maxBytes),
  )
  expect(await Promise.all(answers)).toEqual([
    { problem: 'encoding' },
    { json: { status: 'completed' } },
    { problem: 'too_large' },
    { json: { status: 'completed' } },
  ])
})
