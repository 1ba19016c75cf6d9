import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startDocket } from '#testing/docket-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-private-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const readMode = async (path: string) => (await stat(path)).mode & 0o777

test('everything that Docket writes is inaccessible to other users, even in a folder that was open to them', async () => {
  const path = join(folder, 'whole')
  await mkdir(path)
  await chmod(path, 0o755)
  const docket = startDocket({ DATA_DIR: path })
  await docket.ready
  const wide: string[] = []
  for (const entry of await readdir(path, { recursive: true })) {
    const found = await stat(join(path, entry)).catch(() => null)
    if (found !== null && !found.isSocket() && (found.mode & 0o077) !== 0) wide.push(entry)
  }
  const mode = await readMode(path)
  expect(await docket.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  expect([wide, mode & 0o067]).toEqual([[], 0])
})

test('a Docket with an open debugger does not start', async () => {
  const docket = startDocket({ DATA_DIR: join(folder, 'debugged'), NODE_OPTIONS: '--inspect=127.0.0.1:0' })
  const { code, stdout, stderr } = await docket.ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('Docket could not start. Node was started with a debugger')
})
