import type { SourcePage } from '#site/source-page.ts'
import { encodePart, relativeHref } from '#writer/addresses.ts'
import { markup, type Markup } from '#writer/markup.ts'
import { feedFile, hasFeed } from '#writer/copies/feeds.ts'
import { toMarkdownFile } from '#writer/copies/markdown-copy.ts'
import type { RenderedPage } from '#writer/render-page.ts'
import type { Frame } from './html-document.ts'

/** Commands beside the title: copy the page, read it as Markdown, follow its updates. The script reveals the first. */
export const pageActions = (frame: Frame, file: string, page: SourcePage, content: RenderedPage): Markup => {
  const to = (name: string) => relativeHref(file, name)
  return markup`<p class="page-actions">${
    frame.site.brand.copiesPages && markup`<button type="button" data-copy-page hidden>Copy page</button>`
  }<a href="${to(toMarkdownFile(page.path))}">Markdown</a>${
    hasFeed(frame, page, content) && markup`<a href="${to(feedFile(page.path))}">Feed</a>`
  }</p>`
}

/** Link to the source of a page at its code host, or null. */
export const editLink = ({ site }: Frame, { file }: SourcePage): Markup | null => {
  const { editLink } = site.brand
  const isSource = editLink !== null && /\.mdx?$/i.test(file) && file.startsWith(site.root)
  if (!isSource) return null
  const path = file.slice(site.root.length).split('/').map(encodePart).join('/')
  const href = editLink.pattern.replaceAll(':path', () => path)
  return URL.canParse(href)
    ? markup`<p class="edit"><a href="${href}" rel="noopener noreferrer">${editLink.text}</a></p>`
    : null
}
