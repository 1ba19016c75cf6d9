import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { jobLogs } from '#agent-jobs/story/job-logs.ts'
import { silentLog } from '#log.ts'

/** Reads everything from `offset` in parts. */
const readAll = async (logs: ReturnType<typeof jobLogs>, id: string, offset = 0) => {
  const parts = [await logs.read(id, offset)]
  while (!parts.at(-1)!.isAtEnd) parts.push(await logs.read(id, parts.at(-1)!.nextOffset))
  return { text: parts.map(({ text }) => text).join(''), nextOffset: parts.at(-1)!.nextOffset, parts }
}

test('a log is read in parts that never split a character, also from an offset inside of one', async () => {
  const logs = jobLogs(await temporaryFolder(), silentLog, { partBytes: 7 })
  const text = 'Prüfe 文档 👩‍🚀 now\n'.repeat(5)
  for (const letter of text.match(/.{1,3}/gsu)!) logs.append('a', letter)
  expect(logs.lastLine('a')).toBe('Prüfe 文档 👩‍🚀 now')
  await logs.end('a')
  const { text: read, nextOffset, parts } = await readAll(logs, 'a')
  expect([read, nextOffset, logs.lastLine('a')]).toEqual([text, Buffer.byteLength(text), null])
  expect(parts.every((part) => !part.isCut && !part.text.includes('\ufffd'))).toBe(true)
  expect((await logs.read('a', 3)).text).not.toContain('\ufffd')
  expect(await logs.read('a', 10_000)).toMatchObject({ text: '', isAtEnd: true })
  expect(await logs.read('nobody', 5)).toEqual({ text: '', nextOffset: 5, isCut: false, isAtEnd: true })
})

test('a log keeps its end, offsets stay true, and a restart goes on behind it', async () => {
  const folder = await temporaryFolder()
  const limits = { keptBytes: 1000 }
  const logs = jobLogs(folder, silentLog, limits)
  const lines = Array.from({ length: 300 }, (_, number) => `line ${number}\n`)
  for (const line of lines) {
    logs.append('a', line)
    await logs.end('a')
  }
  const whole = lines.join('')
  const { text, nextOffset, parts } = await readAll(logs, 'a')
  expect([whole.endsWith(text), nextOffset, parts[0]!.isCut]).toEqual([true, whole.length, true])
  expect(text.length).toBeGreaterThan(900)
  expect(text.length).toBeLessThan(2100)
  // A crash left the longer file and an unfinished one.
  writeFileSync(join(folder, 'a.0.log'), 'old')
  writeFileSync(join(folder, 'a.part'), 'half')
  const again = jobLogs(folder, silentLog, limits)
  await again.keepOnly(new Set(['a']))
  again.append('a', 'more\n')
  await again.end('a')
  expect((await readAll(again, 'a', nextOffset)).text).toBe('more\n')
  await again.keepOnly(new Set())
  expect(readdirSync(folder)).toEqual([])
})

test('output that cannot be kept is lost, and nothing rejects', async () => {
  const folder = join(await temporaryFolder(), 'logs')
  const warnings: string[] = []
  const logs = jobLogs(folder, { ...silentLog, warn: (_, message) => void warnings.push(message) })
  // A folder in the place of the file.
  await mkdir(join(folder, 'a.0.log'), { recursive: true })
  chmodSync(folder, 0o700)
  for (const text of ['one\n', 'two\n', 'three\n']) logs.append('a', text)
  expect(logs.lastLine('a')).toBe('three')
  await logs.end('a')
  expect(warnings).toEqual(['the output of an agent job could not be kept'])
})
