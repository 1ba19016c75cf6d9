import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { reportStorage } from '#bundles/retention/storage-report.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testDatabase } from '#testing/database.ts'
import { testSecret } from '#testing/instance.ts'
import { siteKit } from '#testing/site-kit.ts'
import { adoptStore } from './adopt-store.ts'
import { backup } from './backup.ts'
import type { Command } from './command.ts'
import { restore } from './restore.ts'

const stand = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-store-commands-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const call = async (command: Command, env: NodeJS.ProcessEnv, ...args: string[]) => {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    await command({ args, env: { AUTH_SECRET: testSecret, ...env }, from: folder, usage: '', print, warn: print })
    return printed.join('\n')
  }
  const database = async (options?: { empty: boolean }) => {
    const made = await testDatabase(options)
    onTestFinished(made.drop)
    return made
  }
  return { folder, call, database }
}

test('docket restore requires the store of the backup, and reports which bundles it has and which are missing', async () => {
  const { folder, call, database } = await stand()
  const source = await siteKit({ folder: join(folder, 'mnt'), database: await database() })
  for (const text of ['[] one', '[] two']) await source.completeAndStore(text)
  const store = { ARTIFACT_STORE_DIR: join(folder, 'mnt', 'artifacts') }
  await call(backup, { DATABASE_URL: source.database.url, DATA_DIR: join(folder, 'data'), ...store }, 'backup.tar')
  const elsewhere = async () => ({
    DATABASE_URL: (await database({ empty: true })).url,
    DATA_DIR: join(folder, crypto.randomUUID()),
  })
  await expect(call(restore, await elsewhere(), 'backup.tar')).rejects.toThrow(
    `ARTIFACT_STORE_DIR=${store.ARTIFACT_STORE_DIR}`,
  )
  expect(await call(restore, { ...(await elsewhere()), ...store }, 'backup.tar')).toContain(
    'Exports whose bundle is in the store: 2. Exports whose bundle is missing: 0.',
  )
  // Whoever moved the folder says where it is.
  await rename(store.ARTIFACT_STORE_DIR, join(folder, 'moved'))
  const moved = { ...(await elsewhere()), ARTIFACT_STORE_DIR: join(folder, 'moved') }
  expect(await call(restore, moved, 'backup.tar')).toContain('is in the store: 2.')
  const without = await call(restore, await elsewhere(), 'backup.tar', '--without-store')
  expect(without).toContain('is in the store: 0. Exports whose bundle is missing: 2.')
  expect(without).toContain('takes missing bundles back')
})

test('docket adopt-store decides about a store that is unknown to the database, after Docket has started once', async () => {
  const { folder, call, database } = await stand()
  const before = await siteKit({ folder, database: await database() })
  await before.completeAndStore('[] one')
  const fresh = await database()
  const env = {
    DATABASE_URL: fresh.url,
    DATA_DIR: join(folder, 'data'),
    ARTIFACT_STORE_DIR: join(folder, 'artifacts'),
  }
  await expect(call(adoptStore, env)).rejects.toThrow('Start it, then decide')
  const here = await siteKit({ folder, database: fresh })
  await here.sweep()
  const state = async () => (await reportStorage(here.ctx, { sort: 'newest', skip: 0, limit: 1 })).recovery?.store
  expect(await call(adoptStore, env, '--leave')).toContain('as they are')
  expect(await state()).toBe('left')
  expect(await call(adoptStore, env)).toContain('within ten minutes')
  await here.sweep()
  expect(here.requested).toContain('store')
  await here.adopt()
  expect(await state()).toBe('known')
  expect((await here.db.select().from(auditEvents)).map(({ action }) => action)).toEqual([
    'store.left',
    'store.adopted',
  ])
})
