import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { folderOf, temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startExportProcess } from '#static-exports/export-process.ts'
import { startApi } from '#testing/api.ts'

/** Everything that a worker says while it exports `count` pages. */
const saidAbout = async (count: number, pauseMs: number) => {
  const pages = Array.from({ length: count }, (_, index) => [`page-${index}.md`, `# Page ${index}\n`] as const)
  const [folder, work] = [await folderOf(Object.fromEntries(pages)), await temporaryFolder()]
  const said: [number, number][] = []
  const order = {
    jobId: 'x',
    source: { kind: 'folder', folder } as const,
    scratch: join(work, 'scratch'),
    domain: 'docs.localhost',
    version: null,
    paths: null,
    deploymentKind: 'cloud' as const,
    site: join(work, 'site'),
    archive: join(work, 'bundle.tar.gz'),
    pauseMs,
    failWith: null,
  }
  const limits = { memoryMb: 512, silenceMs: 60_000 }
  const { ended } = startExportProcess(order, limits, (...step) => said.push(step))
  expect(await ended).toEqual({ kind: 'completed', pageCount: count })
  return said
}

test.each([
  ['a site of 18 pages', 18, 0],
  ['a site of two pages that is paused', 2, 120],
])('%s shows at least 50 steps, and neither progress nor pages ever fall', async (_, count, pauseMs) => {
  const said = await saidAbout(count, pauseMs)
  expect(new Set(said.map(([progress]) => progress)).size).toBeGreaterThanOrEqual(50)
  expect(said).toEqual(said.toSorted(([a, m], [b, n]) => a - b || m - n))
  expect(said.at(-1)).toEqual([95, count])
})

test('what was read before a crash is the least that is read after it', async () => {
  const { start, until, dataDir, sites } = await startApi()
  const { jobId } = await start('slow-60.sentinel.test')
  const shown = await until(jobId, ({ pageCount }) => pageCount > 0)
  // The disk as a crash leaves it this moment; the record on it is up to a second old.
  const crashed = await temporaryFolder()
  await cp(dataDir, crashed, { recursive: true })
  const { status } = await startApi({ dataDir: crashed, sites })
  const after = await status(jobId)
  expect(after.progress).toBeGreaterThanOrEqual(shown.progress)
  expect(after.pageCount).toBeGreaterThanOrEqual(shown.pageCount)
})
