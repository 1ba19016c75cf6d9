import { isUtf8 } from 'node:buffer'
import type { SourceFolder } from '@docket/sources/source-folder'
import { limits } from '#site/limits.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { Frame } from '#writer/frame/html-document.ts'
import type { RenderedPage } from '#writer/render-page.ts'
import { feed, feedFile, hasFeed } from './feeds.ts'
import { llmsText } from './llms.ts'
import { markdownCopy, toMarkdownFile } from './markdown-copy.ts'

type Deps = {
  folder: SourceFolder
  write: (file: string, content: string) => void
  leave: (file: string, what: string) => void
}

/** Writes the copies of pages for other programs: Markdown, feeds and `llms.txt`. An `llms.txt` of the source wins. */
export const copyFiles = (frame: Frame, { folder, write, leave }: Deps) => ({
  addPage: (page: SourcePage, content: RenderedPage): void => {
    write(toMarkdownFile(page.path), markdownCopy(page, content.title, content.markdown))
    if (hasFeed(frame, page, content)) write(feedFile(page.path), feed(frame, page, content))
    else if (page.brand.isFeed)
      leave(
        page.file,
        frame.base === null ? 'its feed: feeds need a public domain' : 'its feed: the page has no updates',
      )
  },
  finish: async (): Promise<void> => {
    const file = `${frame.site.root}llms.txt`
    const own = folder.files.has(file) ? await folder.read(file, limits.pageBytes) : null
    const isText = own !== null && isUtf8(own) && !own.includes(0) && !/^[\s\uFEFF]*</.test(own.toString('utf8'))
    write('llms.txt', isText ? own.toString('utf8') : llmsText(frame.site, frame.base))
  },
})
