import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { closeDataFolder } from '#private-process.ts'
import { startDocket } from '#testing/docket-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-private-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const made = async (name: string, mode: number, files: readonly string[]) => {
  const path = join(folder, name)
  await mkdir(path)
  for (const file of files) await writeFile(join(path, file), 'x')
  await chmod(path, mode)
  return path
}
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test.each([
  ['an empty folder', 0o755, []],
  ['a folder with the data of Docket', 0o777, ['docket.lock', 'postgres', 'local-admin-api.key', 'lost+found']],
  ['a folder the group may write', 0o770, ['docket.lock']],
] as const)('%s is closed to other users', async (name, mode, files) => {
  const path = await made(name, mode, files)
  expect(await closeDataFolder(path)).toBe(null)
  expect(await modeOf(path)).toBe(0o700)
})

test('a folder that holds other things too stays as it is, and the operator is told', async () => {
  const path = await made('shared', 0o755, ['docket.lock', 'index.html'])
  expect(await closeDataFolder(path)).toMatch(/Other users of this machine may enter DATA_DIR .* left as it is/)
  expect(await modeOf(path)).toBe(0o755)
})

test('a closed folder, one where the group may only pass, and one that is not there yet are left alone', async () => {
  expect(await closeDataFolder(await made('closed', 0o700, ['index.html']))).toBe(null)
  const passed = await made('passed', 0o710, ['docket.lock'])
  expect(await closeDataFolder(passed)).toBe(null)
  expect(await modeOf(passed)).toBe(0o710)
  expect(await closeDataFolder(join(folder, 'missing'))).toBe(null)
})

test('everything a whole Docket writes is closed to other users, also in a folder that was open', async () => {
  const path = await made('whole', 0o755, [])
  const docket = startDocket({ DATA_DIR: path })
  await docket.ready
  const wide: string[] = []
  for (const entry of await readdir(path, { recursive: true })) {
    const found = await stat(join(path, entry)).catch(() => null)
    if (found !== null && !found.isSocket() && (found.mode & 0o077) !== 0) wide.push(entry)
  }
  const mode = await modeOf(path)
  expect(await docket.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  expect([wide, mode & 0o067]).toEqual([[], 0])
}, 60_000)

test('a Docket with an open debugger does not start', async () => {
  const docket = startDocket({ DATA_DIR: join(folder, 'debugged'), NODE_OPTIONS: '--inspect=127.0.0.1:0' })
  const { code, stdout, stderr } = await docket.ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('Docket could not start. Node was started with a debugger')
}, 60_000)
