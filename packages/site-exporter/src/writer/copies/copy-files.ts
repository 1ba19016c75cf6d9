import { isUtf8 } from 'node:buffer'
import type { SourceFolder } from '@docket/sources/source-folder'
import { limits } from '#site/limits.ts'
import { type SourcePage, listPages, type NavNode } from '#site/source-page.ts'
import type { Frame } from '#writer/frame/html-document.ts'
import type { RenderedPage } from '#writer/render-page.ts'
import { formatFeed, toFeedFile, hasFeed } from './feeds.ts'
import { formatMarkdownCopy, toMarkdownFile } from './markdown-copy.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { encodePath } from '#writer/addresses.ts'

type Deps = {
  folder: SourceFolder
  write: (file: string, content: string) => void
  leave: (file: string, what: string) => void
}

/** Writes the copies of pages for other programs: Markdown, feeds and `llms.txt`. An `llms.txt` in the source takes precedence. */
export const createCopyWriter = (frame: Frame, { folder, write, leave }: Deps) => ({
  addPage: (page: SourcePage, content: RenderedPage): void => {
    write(toMarkdownFile(page.path), formatMarkdownCopy(page, content.title, content.markdown))
    if (hasFeed(frame, page, content)) write(toFeedFile(page.path), formatFeed(frame, page, content))
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
    write('llms.txt', isText ? own.toString('utf8') : formatLlmsText(frame.site, frame.base))
  },
})

/** `llms.txt`: a list of the Markdown copies of the pages in the order of the navigation. Addresses are absolute on a public domain. */
const formatLlmsText = (site: SourceSite, base: string | null): string => {
  const entry = (path: string) => {
    const page = site.pages.get(path)
    if (!page) return []
    const file = encodePath(toMarkdownFile(path))
    const address = base === null ? file : `${base}/${file}`
    return [`- [${escapeBrackets(page.title)}](${address})${page.description ? `: ${page.description}` : ''}`]
  }
  const section = (node: NavNode): string[] => {
    if (node.kind === 'page') return entry(node.path)
    const entries = listPages(node).flatMap(entry)
    return entries.length === 0 ? [] : ['', `## ${node.title}`, '', ...entries]
  }
  const loose = site.nav.filter((node) => node.kind === 'page').flatMap(section)
  const sections = site.nav.filter((node) => node.kind === 'group').flatMap(section)
  const head = [`# ${site.name}`, '', ...(site.description === null ? [] : [`> ${site.description}`, ''])]
  return `${[...head, ...loose, ...sections].join('\n')}\n`
}

const escapeBrackets = (text: string) => text.replace(/[[\]\\]/g, String.raw`\$&`)
