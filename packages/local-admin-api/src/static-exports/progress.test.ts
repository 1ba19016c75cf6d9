import { join } from 'node:path'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startExportProcess } from '#static-exports/export-process.ts'

/** Everything that a worker says while it exports `count` pages. */
const recordProgress = async (count: number, pauseMs: number) => {
  const pages = Array.from({ length: count }, (_, index) => [`page-${index}.md`, `# Page ${index}\n`] as const)
  const [folder, work] = [await writeFolder(Object.fromEntries(pages)), await temporaryFolder()]
  const reports: [number, number][] = []
  const order = {
    jobId: 'x',
    source: { kind: 'folder', folder } as const,
    usedFile: join(folder, 'used.json'),
    cache: join(work, 'cache'),
    scratch: join(work, 'scratch'),
    domain: 'docs.localhost',
    version: null,
    paths: null,
    hiddenPages: false,
    fetch: { hosts: [], privateNetworks: [] },
    site: join(work, 'site'),
    archive: join(work, 'bundle.tar.gz'),
    pauseMs,
    failWith: null,
  }
  const limits = { memoryMb: 512, silenceMs: 60_000 }
  const { ended } = startExportProcess(order, limits, (...step) => reports.push(step))
  expect(await ended).toEqual({ kind: 'completed', pageCount: count })
  return reports
}

test.each([
  ['a site of 18 pages', 18, 0],
  ['a site of two pages that is paused', 2, 120],
])('%s reports at least 50 steps, and neither progress nor page count ever decreases', async (_, count, pauseMs) => {
  const reports = await recordProgress(count, pauseMs)
  expect(new Set(reports.map(([progress]) => progress)).size).toBeGreaterThanOrEqual(50)
  expect(reports).toEqual(reports.toSorted(([a, m], [b, n]) => a - b || m - n))
  expect(reports.at(-1)).toEqual([95, count])
  expect(reports.filter(([progress]) => progress > 0 && progress < 1)).toEqual([])
})
