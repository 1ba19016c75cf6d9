import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractedPage } from '#mirror/extract/extract-page.ts'

export type Draft = Pick<ExtractedPage, 'html' | 'references'>

/** Stores pages on disk until the crawl ends and their links can be resolved. */
export const openDrafts = async (staging: string) => {
  // Hidden files are not part of a source.
  const folder = join(staging, '.drafts')
  await mkdir(folder, { recursive: true })
  const file = (key: string) => join(folder, `${computeDigest(key)}.json`)
  return {
    keep: (key: string, { html, references }: Draft) => writeFile(file(key), JSON.stringify({ html, references })),
    read: async (key: string) => JSON.parse(await readFile(file(key), 'utf8')) as Draft,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export type Drafts = Awaited<ReturnType<typeof openDrafts>>

export const computeDigest = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
