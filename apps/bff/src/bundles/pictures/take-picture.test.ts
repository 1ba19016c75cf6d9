import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openWorkFolders } from '@docket/sandbox/work-folders'
import { temporaryFolder } from '@docket/site-bundle/testing/temporary-folder'
import { afterEach, expect, test, vi } from 'vitest'
import { createPictureTaker } from './take-picture.ts'

vi.mock('@docket/sandbox/work-folders', { spy: true })
afterEach(() => vi.unstubAllEnvs())

test('a socket that cannot be made fails the picture only, and work folders open with the first picture', async () => {
  const dataDir = await temporaryFolder()
  // Longer than a path of a socket may be.
  const folder = join(dataDir, 'x'.repeat(100))
  await mkdir(folder)
  vi.stubEnv('TMPDIR', folder)
  const take = createPictureTaker('/bin/sh', { dataDir, hidden: [] })
  expect(openWorkFolders).not.toHaveBeenCalled()
  await expect(take(null, new AbortController().signal)).rejects.toThrow('listen EINVAL')
  expect(openWorkFolders).toHaveBeenCalledOnce()
})
