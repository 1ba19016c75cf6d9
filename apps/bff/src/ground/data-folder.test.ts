import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { closeDataFolder } from '#ground/data-folder.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-private-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const makeFolder = async (name: string, mode: number, files: readonly string[]) => {
  const path = join(folder, name)
  await mkdir(path)
  for (const file of files) await writeFile(join(path, file), 'x')
  await chmod(path, mode)
  return path
}
const readMode = async (path: string) => (await stat(path)).mode & 0o777

test.each([
  ['an empty folder', 0o755, []],
  ['a folder with the data of Docket', 0o777, ['docket.lock', 'postgres', 'local-admin-api.key', 'lost+found']],
  ['a folder the group may write', 0o770, ['docket.lock']],
] as const)('%s is made private to its user', async (name, mode, files) => {
  const path = await makeFolder(name, mode, files)
  expect(await closeDataFolder(path)).toBe(null)
  expect(await readMode(path)).toBe(0o700)
})

test('a data folder with foreign files keeps its permissions, and the operator gets a warning', async () => {
  const path = await makeFolder('shared', 0o755, ['docket.lock', 'index.html'])
  expect(await closeDataFolder(path)).toMatch(/Other users of this machine may enter DATA_DIR .* left as it is/)
  expect(await readMode(path)).toBe(0o755)
})

test('a private folder, one that the group may only traverse, and a missing one are left unchanged', async () => {
  expect(await closeDataFolder(await makeFolder('closed', 0o700, ['index.html']))).toBe(null)
  const passed = await makeFolder('passed', 0o710, ['docket.lock'])
  expect(await closeDataFolder(passed)).toBe(null)
  expect(await readMode(passed)).toBe(0o710)
  expect(await closeDataFolder(join(folder, 'missing'))).toBe(null)
})
