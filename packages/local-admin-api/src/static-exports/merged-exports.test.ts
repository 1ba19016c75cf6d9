import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { startApi } from '#testing/api.ts'
import { downloadBundle } from '#testing/bundle.ts'

test('a merged change is exported both before and after the folder is updated with it', async () => {
  const folder = await writeFolder({ 'index.md': '# Home\n\nIt is peridot.\n' })
  const sites = { 'docs.localhost': folder }
  const first = await startAgentJobs(folder, { sites })
  const { job } = await first.run('Replace "peridot" with "malachite"')
  await first.api.close()

  const store = { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const
  const { api, start, finished, bundle, database } = await startApi({
    sites,
    store,
    projects: { docs: folder },
    dataDir: first.dataDir,
  })
  const { codeHost } = api
  const readSite = async () => {
    const { jobId } = await start()
    expect(await finished(jobId)).toMatchObject({ status: 'completed' })
    return (await downloadBundle(await bundle(jobId))).get('index.html')
  }
  expect([job.status, await readSite()]).toEqual(['completed', expect.stringContaining('It is peridot')])
  const pull = (await codeHost.readPull('docs', 1))!
  await codeHost.runAction('merge', { projectId: 'docs', number: 1, head: pull.head })
  expect(await readSite()).toContain('It is malachite')
  expect(await readFile(join(folder, 'index.md'), 'utf8')).toContain('It is peridot')

  // A worker elsewhere, which may take the export, couldn't read the repository.
  const worker = await startApi({ sites, store, database, serves: false })
  expect(await readSite()).toContain('It is peridot')
  await worker.api.close()
  expect(await readSite()).toContain('It is malachite')

  await codeHost.updateFolder('docs', pull.head)
  expect(await readFile(join(folder, 'index.md'), 'utf8')).toContain('It is malachite')
  expect(await readSite()).toContain('It is malachite')
})
