import type { SourcePage } from '#site/source-page.ts'
import { encodePart, publicPath } from '#writer/addresses.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { RenderedPage } from '#writer/render-page.ts'
import type { Frame } from './frame.ts'

/** Longest description; search engines and chats show no more. Characters. */
const maxLength = 155

/** What others show of a page: description, public address, and the card of a link to it. Nothing in it is loaded. */
export const pageHead = (frame: Frame, page: SourcePage, content: RenderedPage): Markup => {
  const description = page.description ?? shortened(content.text)
  const address =
    frame.base === null ? null : `${frame.base}/${publicPath(page.path).split('/').map(encodePart).join('/')}`
  return markup`${description && markup`<meta name="description" content="${description}">\n`}${address && markup`<link rel="canonical" href="${address}">\n`}<meta property="og:type" content="${page.path === 'index' ? 'website' : 'article'}">
<meta property="og:title" content="${content.title}">
<meta property="og:site_name" content="${frame.site.name}">
${description && markup`<meta property="og:description" content="${description}">\n`}${address && markup`<meta property="og:url" content="${address}">\n`}`
}

const shortened = (text: string) => {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= maxLength) return line
  const cut = line.slice(0, maxLength - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxLength / 2))}…`
}
