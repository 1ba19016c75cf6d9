import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openKeySource } from './key-source.ts'

const name = 'ADMIN_API_KEY'
const keyFile = async (content: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'key')
  await writeFile(file, content)
  return file
}

test('a key is read from the setting or the file, without surrounding line breaks', async () => {
  expect(await (await openKeySource({ name, value: ' adm_one\n' }))()).toBe('adm_one')
  expect(await (await openKeySource({ name, file: await keyFile('adm_two\r\n'), value: 'adm_one' }))()).toBe('adm_two')
})

test('a changed key file is used at the next call, even if it was replaced by a rename', async () => {
  const file = await keyFile('adm_1')
  const key = await openKeySource({ name, file })
  await writeFile(file, 'adm_2')
  expect(await key()).toBe('adm_2')
  await writeFile(`${file}.new`, 'adm_3')
  await rename(`${file}.new`, file)
  expect(await key()).toBe('adm_3')
})

test('a key that is still being written is not used: callers wait until the file stops changing', async () => {
  const file = await keyFile('adm_the-old-key')
  const key = await openKeySource({ name, file, prefix: 'adm' })
  const handle = openSync(file, 'w')
  onTestFinished(() => closeSync(handle))
  writeSync(handle, 'adm_the-')
  // Noticed while it is half there.
  const bothReads = Promise.all([key(), key()])
  await delay(20)
  // At once: the next look comes after this, however slow the machine is.
  writeSync(handle, 'new-key\n')
  expect(await bothReads).toEqual(['adm_the-new-key', 'adm_the-new-key'])
})

test('a key file that never stops changing does not block callers forever', async () => {
  const file = await keyFile('adm_0')
  const key = await openKeySource({ name, file })
  const changing = new AbortController()
  const writer = (async () => {
    for (let round = 1; !changing.signal.aborted; round += 1) {
      await writeFile(`${file}.new`, `adm_${round}`)
      await rename(`${file}.new`, file)
      await delay(5)
    }
  })()
  expect(await key()).toMatch(/^adm_\d+$/)
  changing.abort()
  await writer
})

test('while the key file is empty, missing or invalid, the last good key stays in use, and each problem is reported once', async () => {
  const file = await keyFile('adm_good')
  const problems: string[] = []
  const key = await openKeySource({ name, file, prefix: 'adm', onProblem: (message) => problems.push(message) })
  for (const wrong of ['', '  \n', 'adm_two\nadm_three', 'other_key', 'adm_\u00e9']) {
    await writeFile(file, wrong)
    expect(await key()).toBe('adm_good')
    expect(await key()).toBe('adm_good')
  }
  await rm(file)
  expect(await key()).toBe('adm_good')
  expect(problems).toHaveLength(5)
  expect(problems.join()).not.toMatch(/adm_(good|two|three)|other_key/)
  await writeFile(file, 'adm_back')
  expect(await key()).toBe('adm_back')
})

test('an unusable key is refused at the start, with the name of its variable and without repeating the key', async () => {
  const folder = join(await keyFile('x'), '..')
  const table: [Partial<Parameters<typeof openKeySource>[0]>, RegExp][] = [
    [{ value: '' }, /ADMIN_API_KEY is empty/],
    [{}, /ADMIN_API_KEY is empty/],
    [{ value: 'hunter2 hunter3' }, /one line without spaces/],
    [{ value: 'hunter2\r\nX-Evil: 1' }, /one line without spaces/],
    [{ value: 'hunter2\u00e9' }, /plain ASCII/],
    [{ value: 'hunter2', prefix: 'adm' }, /should start with adm_/],
    [{ value: 'hunter2', prefix: 'adm_' }, /should start with adm_/],
    [{ value: 'admhunter2', prefix: 'adm' }, /should start with adm_/],
    [{ value: 'adm_', prefix: 'adm_' }, /should start with adm_/],
    [{ file: join(folder, 'missing') }, /ADMIN_API_KEY_FILE cannot be read \(ENOENT\)/],
    [{ file: folder }, /ADMIN_API_KEY_FILE is not a key file/],
    [{ file: await keyFile('') }, /ADMIN_API_KEY_FILE is empty/],
    [{ file: await keyFile('hunter2'.repeat(9_000)) }, /not a key file/],
  ]
  for (const [options, problem] of table) {
    await expect(openKeySource({ name, ...options })).rejects.toThrow(problem)
    await expect(openKeySource({ name, ...options })).rejects.not.toThrow(/hunter2/)
  }
})

test('the key prefix may be given with or without its underscore', async () => {
  for (const prefix of ['adm', 'adm_'])
    expect(await (await openKeySource({ name, value: 'adm_x', prefix }))()).toBe('adm_x')
})
