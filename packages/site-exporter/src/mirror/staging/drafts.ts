import { isAscii, isUtf8 } from 'node:buffer'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findDeclaredEncoding } from '@docket/site-bundle/text-encoding'
import { computeDigest } from '#mirror/finding/read-page.ts'
import { decodeText, type Answer } from '#mirror/http/site-client.ts'

/** Stores content on disk until the crawl ends and every file has a name. */
export const openDrafts = async (staging: string) => {
  // Hidden files are not part of a source.
  const folder = join(staging, '.drafts')
  await mkdir(folder, { recursive: true })
  const types = new Map<string, string>()
  const toPath = (id: string) => join(folder, computeDigest(id))
  const publish = async (id: string, file: string) => {
    await mkdir(dirname(join(staging, file)), { recursive: true })
    await rename(toPath(id), join(staging, file))
  }
  return {
    keepPage: (key: string, answer: Answer) => writeFile(toPath(`page ${key}`), toUtf8(answer)),
    /** Keeps the file of an address. */
    keepFile: async (address: string, answer: Answer) => {
      types.set(address, answer.type)
      await writeFile(toPath(`file ${address}`), isText(answer) ? toUtf8(answer) : answer.body)
    },
    /** Media types of the kept files, by address. */
    types,
    publishPage: (key: string, file: string) => publish(`page ${key}`, file),
    publishFile: (address: string, file: string) => publish(`file ${address}`, file),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export type Drafts = Awaited<ReturnType<typeof openDrafts>>

/** A text whose encoding only its header said. */
const isText = ({ type, charset }: Answer) =>
  /html|xhtml/.test(type) || (charset !== null && !/^utf-?8$/i.test(charset) && /^text\/|javascript$|json$/.test(type))

/** A mark at the beginning counts more than any declaration in the text. */
const toUtf8 = (answer: Answer): Buffer => {
  const { body } = answer
  // Some encodings switch between alphabets with escapes of plain ASCII.
  const isClear = (isAscii(body) && !body.includes(0x1b)) || (isUtf8(body) && findDeclaredEncoding(body) === 'utf-8')
  return isClear ? body : Buffer.from(`\uFEFF${decodeText(answer)}`)
}
