import type { SourceFolder } from '@docket/sources/source-folder'
import { parse, type Tags } from 'yaml'
import { limits } from '#site/limits.ts'
import pMap from 'p-map'
import type { Data } from '#site/data.ts'
import { splitFrontMatter } from '#site/front-matter.ts'

/** Text of a file, or `''` if there is none. */
export const readText = async (folder: Pick<SourceFolder, 'read'>, file: string): Promise<string> =>
  (await folder.read(file, limits.pageBytes))?.toString('utf8') ?? ''

/** Maximum length of YAML, because keys are compared in quadratic time. Characters. */
const maxYaml = 256 * 1024

/** Parses YAML with a limit on aliases. Null if it is invalid or too long. Tags other than `customTags` stay plain values. */
export const parseYaml = (text: string, customTags: Tags = []): unknown => {
  try {
    const options = { schema: 'core', maxAliasCount: 50, logLevel: 'silent', customTags } as const
    return text.length > maxYaml ? null : (parse(text, options) as unknown)
  } catch {
    return null
  }
}

/** Front matter of files, for tools whose page addresses depend on it. */
export const readMatter = async (
  folder: Pick<SourceFolder, 'read'>,
  files: readonly string[],
): Promise<Map<string, Data>> => {
  const read = async (file: string) => {
    const content = await folder.read(file, limits.pageBytes)
    return [file, splitFrontMatter(content?.toString('utf8') ?? '').data] as const
  }
  return new Map(await pMap(files.slice(0, limits.pages), read, { concurrency: 8 }))
}
