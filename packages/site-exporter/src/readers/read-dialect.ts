import { joinPageAliases } from '#readers/docusaurus/text.ts'
import { readBookText } from '#readers/book/text.ts'
import { readMkdocsText } from '#readers/mkdocs/text.ts'
import type { Note } from '#markdown/page-notes.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { PieceReader } from './piece-reader.ts'
import { titleCode } from './starlight/text.ts'
import type { SourceSite } from './source-site.ts'

/** Rewrites the notation of a tool into what every page may contain: CommonMark, elements and includes. */
export const readDialect = async (
  site: Pick<SourceSite, 'dialect' | 'aliases' | 'snippets' | 'name'>,
  page: Pick<SourcePage, 'file' | 'title'>,
  body: string,
  { reader, note }: { reader: PieceReader; note: Note },
): Promise<string> => {
  if (site.dialect === 'mkdocs') return readMkdocsText(body, page.file, { ...site.snippets, reader, note })
  if (site.dialect === 'book') return readBookText(body, note)
  if (site.dialect === 'starlight') return joinPageAliases(titleCode(body), site.aliases)
  return joinPageAliases(body, site.aliases)
}
