import type { SourceFolder } from '@docket/sources/source-folder'
import pMap from 'p-map'
import type { Data } from '#site/data.ts'
import { decodeSourceText } from '#site/decode-text.ts'
import { splitFrontMatter } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'
import type { Parsed } from '#site/parse-data.ts'
import type { SourceSite } from './source-site.ts'

/** Folder whose readers add to `leftOut` what they cannot read. */
export type ReportingFolder = Pick<SourceFolder, 'read'> & Pick<SourceSite, 'leftOut'>

const maxMistakes = 2_000

export const reportMistake = ({ leftOut }: ReportingFolder, file: string, reason: string): void => {
  if (leftOut.length < maxMistakes) leftOut.push({ file, reason, kind: 'not-understood' })
}

/** Text of a file; null if there is none, or it exceeds `maxBytes`. */
export const findText = async (
  folder: ReportingFolder,
  file: string,
  maxBytes: number = limits.pageBytes,
): Promise<string | null> => {
  const content = await folder.read(file, maxBytes)
  if (!content) return null
  const { text, problem } = decodeSourceText(content)
  if (problem !== null) reportMistake(folder, file, problem)
  return text
}

/** Text of a file, or `''` if there is none. */
export const readText = async (folder: ReportingFolder, file: string): Promise<string> =>
  (await findText(folder, file)) ?? ''

/** Reads a file of settings. Null if it is missing, or nothing in it can be read. */
export const readData = async (
  folder: ReportingFolder,
  file: string,
  parse: (text: string) => Parsed,
): Promise<unknown> => {
  const text = await readText(folder, file)
  const { value, problem } = text.trim() === '' ? { value: null, problem: null } : parse(text)
  if (problem !== null) reportMistake(folder, file, formatMistake(value, problem))
  return value
}

export const formatMistake = (value: unknown, problem: string): string =>
  `the configuration could not be read${value === null ? '' : ' whole'}: ${problem}`

/** Front matter of files, for tools whose page addresses depend on it. The readers of the pages report its mistakes. */
export const readMatter = async (
  folder: Pick<SourceFolder, 'read'>,
  files: readonly string[],
): Promise<Map<string, Data>> => {
  const read = async (file: string) =>
    [file, splitFrontMatter(await readText({ ...folder, leftOut: [] }, file)).data] as const
  return new Map(await pMap(files.slice(0, limits.pages), read, { concurrency: 8 }))
}
