import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isDataFile } from '#process/backup/data-files.ts'
import { openOwnName, readOwnName } from '#ground/data-folder.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-name-'))
afterAll(() => rm(folder, { recursive: true }))

test('a data folder keeps its host name in a private file that backups include, and no two folders share a name', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  expect(await readOwnName(one)).toBeNull()
  const name = await openOwnName(one)
  expect(name).toMatch(/^docket-[0-9a-f]{12}\.localhost$/)
  expect([await openOwnName(one), await readOwnName(one)]).toEqual([name, name])
  expect(await openOwnName(other)).not.toBe(name)
  expect((await stat(join(one, 'own-name'))).mode & 0o777).toBe(0o600)
  expect(isDataFile('own-name')).toBe(true)
})

test('a damaged name file is replaced with a new name', async () => {
  await writeFile(join(folder, 'own-name'), 'evil.example\n')
  expect(await openOwnName(folder)).toMatch(/^docket-[0-9a-f]{12}\.localhost$/)
})
