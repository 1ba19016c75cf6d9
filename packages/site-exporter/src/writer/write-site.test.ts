import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { readSite } from '#readers/read-site.ts'
import { readFiles } from '#testing/site.ts'
import { writeSite } from './write-site.ts'

const pageCount = 30
const pages = Object.fromEntries(
  Array.from({ length: pageCount }, (_, index) => [
    `page-${String(index).padStart(2, '0')}.md`,
    `# Page ${index}\n\nText with [a link](gone-${index}.md), [another](page-00.md#nowhere) and ![a picture](none-${index}.png).\n`,
  ]),
)

const exported = async (folder: SourceFolder, onPage: (count: number) => void) => {
  const target = join(await temporaryFolder(), 'site')
  const site = await readSite(folder, 'Test')
  const order = { folder, site, domain: 'docs.localhost', version: null, target }
  await writeSite({ ...order, onPage: async (count) => onPage(count) })
  return readFiles(target)
}

/**
 * Pages whose number ends in 0, 3, 6 or 9 are missing when they are read for the second time. With `inTwos`, the second of
 * two concurrent reads then finishes first.
 */
const vanishing = (folder: SourceFolder, inTwos: boolean): SourceFolder => {
  let second = Promise.withResolvers<void>()
  let reads = 0
  return {
    ...folder,
    read: async (file, maxBytes) => {
      // The site itself is read first.
      if (!file.startsWith('page-') || reads++ < pageCount) return folder.read(file, maxBytes)
      const { promise, resolve } = second
      if (reads % 2 === 0) {
        second = Promise.withResolvers()
        resolve()
      } else if (inTwos) await promise
      return /[0369]\.md$/.test(file) ? null : folder.read(file, maxBytes)
    },
  }
}

test('the output does not depend on the order in which pages are read', async () => {
  const folder = await openSourceFolder(await writeFolder(pages))
  const counts: number[] = []
  const files = await exported(vanishing(folder, true), (count) => void counts.push(count))
  const ordinary = await exported(vanishing(folder, false), () => undefined)
  expect(files.get('export-report.json')).toContain('its text: the file was removed')
  expect(files).toEqual(ordinary)
  expect(counts).toEqual(Array.from({ length: pageCount }, (_, index) => index + 1))
})

test('an export fails with the reason if a page cannot be written', async () => {
  const folder = await openSourceFolder(await writeFolder({ ...pages, 'part/one.md': '# One\n' }))
  const site = await readSite(folder, 'Test')
  const target = join(await temporaryFolder(), 'site')
  const onPage = async (count: number) => {
    // In the place of the folder that a later page needs.
    if (count === 1) await mkdir(target, { recursive: true }).then(() => writeFile(join(target, 'part'), ''))
  }
  const order = { folder, site, domain: 'docs.localhost', version: null, target }
  await expect(writeSite({ ...order, onPage })).rejects.toThrow(/EEXIST|ENOTDIR/)
})
