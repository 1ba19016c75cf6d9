import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPictureTaker } from '#bundles/pictures/take-picture.ts'
import { readConfig } from '#ground/config/config.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openArtifacts } from './open-stores.ts'

vi.mock('#bundles/pictures/take-picture.ts', { spy: true })

test('the browser of pictures sees neither DATA_DIR nor the store nor the keys', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-stores-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [dataDir, store, keys] = ['data', 'store', 'keys'].map((name) => join(folder, name)) as [string, string, string]
  const config = await readConfig({
    PICTURE_BROWSER: '/bin/sh',
    DATA_DIR: dataDir,
    ARTIFACT_STORE_DIR: store,
    CONNECTION_KEYS_DIR: keys,
  })
  const { close } = await openArtifacts(config)
  close()
  expect(createPictureTaker).toHaveBeenCalledExactlyOnceWith('/bin/sh', { dataDir, hidden: [store, keys] })
})
