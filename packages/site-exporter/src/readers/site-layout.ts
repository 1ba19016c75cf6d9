import type { SourceFolder } from '@docket/sources/source-folder'
import { openBook } from '#readers/book/layout.ts'
import { openDocsJson } from '#readers/docs-json/docs-json.ts'
import { openDocusaurus } from '#readers/docusaurus/layout.ts'
import { openMkdocs } from '#readers/mkdocs/layout.ts'
import { openStarlight } from '#readers/starlight/layout.ts'
import { openVitepress } from '#readers/vitepress/layout.ts'
import { plainLayout, type SiteLayout } from './layout.ts'

type OpenLayout = (folder: SourceFolder, base: string) => Promise<SiteLayout | null>

const tools: readonly OpenLayout[] = [openDocsJson, openVitepress, openStarlight, openDocusaurus, openMkdocs, openBook]

const bases = ['', 'docs/', 'website/', 'documentation/', 'site/', 'www/', 'docs/en/', 'guide/', 'apps/docs/']

export const readLayout = async (folder: SourceFolder): Promise<SiteLayout> => {
  for (const base of bases) {
    for (const open of tools) {
      const layout = await open(folder, base)
      if (layout) return layout
    }
  }
  return plainLayout
}
