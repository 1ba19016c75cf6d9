import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractedPage } from '#mirror/extract/extract-page.ts'

/** Content of a page whose addresses are not yet known to lead somewhere. */
export type Draft = Pick<ExtractedPage, 'html' | 'references'>

/** Keeps pages on the disk until all of the site is read: only then it is known what their links lead to. */
export const drafts = async (staging: string) => {
  // Hidden, so it is no part of the source.
  const folder = join(staging, '.drafts')
  await mkdir(folder, { recursive: true })
  const file = (key: string) => join(folder, `${sumDigest(key)}.json`)
  return {
    keep: (key: string, { html, references }: Draft) => writeFile(file(key), JSON.stringify({ html, references })),
    read: async (key: string) => JSON.parse(await readFile(file(key), 'utf8')) as Draft,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Pages waiting on the disk. */
export type Drafts = Awaited<ReturnType<typeof drafts>>

/** A short name for any text. */
export const sumDigest = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
