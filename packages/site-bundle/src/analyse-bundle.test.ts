import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { analyseBundle } from './analyse-bundle.ts'
import { usualBounds } from './bounds.ts'
import type { Manifest } from './manifest.ts'
import type { Report } from './report.ts'
import { packFiles, readStored } from './testing/analyse-files.ts'
import { healthySite, page } from './testing/planted-defects.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const never = new AbortController().signal
const ignore = { onProgress: () => {}, onFailure: () => {} }

test('a bundle becomes files, a manifest and a report', async () => {
  const planted = page('<img alt="" src="https://leak.example/a.png"><a href="/gone/">Gone</a>')
  const file = await packFiles({ ...healthySite, 'planted/index.html': planted })
  const folder = await temporaryFolder()
  const phases = new Set<string>()
  const analysis = await analyseBundle({ file, folder }, { ...ignore, onProgress: (phase) => phases.add(phase) }, never)
  expect(analysis).toMatchObject({
    outcome: 'read',
    ending: '.tar.gz',
    files: 14,
    // Of seven HTML files, one is the 404 page.
    pages: 6,
    checkUnfinished: null,
    findings: [
      { rule: 'missing-page', target: '/gone/', total: 1, places: [] },
      { rule: 'outside-image', target: 'leak.example', total: 1, places: [] },
    ],
  })
  expect([...phases]).toEqual(['reading', 'checking'])
  expect((await readdir(folder)).toSorted()).toEqual(['manifest.json.gz', 'report.json.gz', 'site.zip'])
  const manifest = (await readStored(folder, 'manifest.json.gz')) as Manifest
  expect(manifest.root).toBe('site/')
  expect(manifest.pages.map(({ address, path, title }) => [address, path, title])).toContainEqual([
    '/guide/',
    'site/guide/index.html',
    'Guide',
  ])
  const report = (await readStored(folder, 'report.json.gz')) as Report
  expect(report.findings[0]?.places).toEqual([
    { page: '/planted/', path: 'site/planted/index.html', excerpt: '<a href="/gone/">', line: 1 },
  ])
})

test('if the check runs out of memory, the bundle stays readable and the report is not clean', async () => {
  // The file is small on disk; its tree is not.
  const file = await packFiles({ 'index.html': `<title>Large</title>${'<p><b>'.repeat(600_000)}`, 'random.bin': 'x' })
  const folder = await temporaryFolder()
  const bounds = { ...usualBounds, ratio: 100_000 }
  const analysis = await analyseBundle({ file, folder, bounds, memoryMb: 64 }, ignore, never)
  expect(analysis).toMatchObject({
    outcome: 'read',
    files: 2,
    pages: 1,
    checkUnfinished: expect.stringContaining('64 MB'),
  })
  expect(await readStored(folder, 'report.json.gz')).toMatchObject({ unfinished: expect.stringContaining('64 MB') })
})

test('a site whose check does not finish keeps its mount and its rules', async () => {
  const large = `<title>Large</title>${'<p><b>'.repeat(600_000)}`
  const link = '<a href="/proj/guide/">Guide</a>'
  // Pages that are read before the check come first.
  const first = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.html`, page(link)]))
  const site = { ...first, 'index.html': page(link), 'guide/index.html': page('Guide'), 'z.html': large }
  const file = await packFiles({ ...site, _redirects: '/proj/old /proj/guide/ 301' })
  const folder = await temporaryFolder()
  const bounds = { ...usualBounds, ratio: 100_000 }
  const analysis = await analyseBundle({ file, folder, bounds, memoryMb: 64 }, ignore, never)
  expect(analysis).toMatchObject({ outcome: 'read', checkUnfinished: expect.stringContaining('64 MB') })
  expect(await readStored(folder, 'manifest.json.gz')).toMatchObject({
    mount: '/proj/',
    rules: { rules: [{ from: '/old', to: '/guide/', status: 301 }] },
    redirects: [{ from: '/old', to: '/guide/' }],
  })
})

test('a bundle that takes too long or is not an archive is refused with a readable message, and an abort rejects', async () => {
  const file = await packFiles(healthySite)
  const analyse = async (options: object, signal = never) =>
    analyseBundle({ file, folder: await temporaryFolder(), ...options }, ignore, signal)
  expect(await analyse({ timeLimitMs: 1 })).toEqual({
    outcome: 'refused',
    reason: 'refused',
    sentence: 'Reading the bundle took longer than 1 s.',
  })
  const text = join(await temporaryFolder(), 'text')
  await writeFile(text, 'no archive')
  expect(await analyse({ file: text })).toMatchObject({ outcome: 'refused', reason: 'not_an_archive' })
  await expect(analyse({}, AbortSignal.timeout(5))).rejects.toThrow()
})

test('an analysis that crashes is retried once, and after a second crash the files read so far are kept', async () => {
  const program = join(await temporaryFolder(), 'failing.mjs')
  const [file, folder] = [await packFiles(healthySite), await temporaryFolder()]
  const bundle = { ending: '.tar.gz', sizeBytes: 1, contentBytes: 1, files: 1, pages: 1, checkUnfinished: null }
  const failures: string[] = []
  const watch = { ...ignore, onFailure: ({ message }: Error) => failures.push(message) }
  const analyseWith = async (...messages: object[]) => {
    failures.length = 0
    await writeFile(
      program,
      `for (const message of ${JSON.stringify(messages)}) await new Promise((sent) => process.send(message, sent))
      process.exit()`,
    )
    return analyseBundle({ file, folder, program }, watch, never)
  }
  const failed = { kind: 'failed', code: null, message: 'x is undefined' }
  const read = { kind: 'read', bundle: { ...bundle, findings: [] } }
  const unfinished = 'The check failed twice and was stopped.'
  expect(await analyseWith(read, failed)).toMatchObject({ outcome: 'read', files: 1, checkUnfinished: unfinished })
  expect(failures).toEqual(['x is undefined', 'x is undefined'])
  expect(await readStored(folder, 'report.json.gz')).toMatchObject({ unfinished })
  expect(await analyseWith(failed)).toEqual({
    outcome: 'refused',
    reason: 'refused',
    sentence: 'Reading the bundle failed twice.',
  })
  await expect(analyseWith(read, { ...failed, code: 'ENOSPC' })).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(failures).toEqual([])
})
