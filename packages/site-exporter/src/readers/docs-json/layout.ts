import type { SourceFolder } from '@docket/sources/source-folder'
import { ignores } from '#readers/globs.ts'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { readText } from '#readers/read-text.ts'

/** Repository files that docs.json tools never publish. */
const ignored =
  'README.md README.mdx readme.md readme.mdx LICENSE.md CHANGELOG.md CONTRIBUTING.md coverage/ tmp/ temp/'.split(' ')

/** Opens a folder with docs.json or mint.json at its root. */
export const openDocsJson = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  if (base !== '' || !(folder.files.has('docs.json') || folder.files.has('mint.json'))) return null
  const own = await patternsIn(folder, '.mintignore')
  const reasonAgainst = (file: string) =>
    ignores(own, file)
      ? '.mintignore names it'
      : ignores(ignored, file)
        ? 'it is about the repository, not a page'
        : null
  return { ...plainLayout, kind: 'docs-json', reasonAgainst }
}

const patternsIn = async (folder: SourceFolder, file: string) =>
  (await readText(folder, file))
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, 500)
