import { posix } from 'node:path'
import { readLiterals } from '@docket/mdx-language/read-literals'
import type { SourceFolder } from '@docket/sources/source-folder'
import { readText } from '#readers/read-text.ts'
import { asData, asList, asText } from '#site/data.ts'

const maxPaths = 40

/** Folders by the beginnings of imports: those of the templates of Starlight, and `paths` of the project's `tsconfig.json`. */
export const readAliases = async (
  folder: SourceFolder,
  base: string,
  source: string,
): Promise<ReadonlyMap<string, string>> => {
  // The file may have comments, so it is no JSON.
  const config = asData(readLiterals(`export default ${await readText(folder, `${base}tsconfig.json`)}`))
  const { baseUrl, paths } = asData(config['compilerOptions'])
  const own = Object.entries(asData(paths))
    .slice(0, maxPaths)
    .flatMap(([pattern, targets]): [string, string][] => {
      const target = asText(asList(targets)[0])
      if (target === null || !/^[^*]{1,80}\/\*$/.test(pattern) || !/^[^*]*\/\*$/.test(target)) return []
      const place = posix.join(base, asText(baseUrl) ?? '.', target.slice(0, -1))
      return /^(\.\.)?\//.test(place) ? [] : [[pattern.slice(0, -1), place]]
    })
  const usual: [string, string][] = [
    ['~/', source],
    ['@/', source],
    ['@assets/', `${source}assets/`],
    ['src/', source],
  ]
  // The longest one wins.
  return new Map([...new Map([...usual, ...own])].toSorted(([a], [b]) => b.length - a.length))
}
