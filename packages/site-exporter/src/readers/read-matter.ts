import type { SourceFolder } from '@docket/sources/source-folder'
import pMap from 'p-map'
import type { Data } from '#site/data.ts'
import { splitFrontMatter } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'

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
