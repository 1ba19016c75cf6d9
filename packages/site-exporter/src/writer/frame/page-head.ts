import type { SourcePage } from '#site/source-page.ts'
import { encodePart, publicPath, relativeHref, toHtmlFile } from '#writer/addresses.ts'
import { feedFile, hasFeed } from '#writer/copies/feeds.ts'
import { toMarkdownFile } from '#writer/copies/markdown-copy.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { RenderedPage } from '#writer/render-page.ts'
import type { Frame } from './html-document.ts'
import { isPicture } from './preview-pictures.ts'

/** Maximum length of a description; search engines cut longer ones. Characters. */
const maxDescription = 155

const property = /^(og|article|book|profile|fb|music|video):/

/** Metadata for search engines and link previews. Values of the page come before those of the site. */
export const pageHead = (frame: Frame, page: SourcePage, content: RenderedPage): Markup => {
  const { base, site } = frame
  const file = toHtmlFile(page.path)
  const description = page.description ?? shortened(content.sections)
  const address = base === null ? null : `${base}/${publicPath(page.path).split('/').map(encodePart).join('/')}`
  const metas = new Map<string, string>([
    ['og:type', page.path === 'index' ? 'website' : 'article'],
    ['og:title', content.title],
    ['og:site_name', site.name],
    ...(description ? [['og:description', description] as const] : []),
    ...(address ? [['og:url', address] as const] : []),
    ...site.brand.metatags,
    ...page.brand.metatags,
    ...(page.hidden === null ? [] : [['robots', 'noindex'] as const]),
  ])
  const tags = [...metas].flatMap(([name, value]) => {
    const text = isPicture(name) ? (frame.look.pictures.get(value) ?? null) : value
    if (text === null) return []
    return [
      property.test(name)
        ? markup`<meta property="${name}" content="${text}">\n`
        : markup`<meta name="${name}" content="${text}">\n`,
    ]
  })
  return markup`${description && markup`<meta name="description" content="${description}">\n`}${address && markup`<link rel="canonical" href="${address}">\n`}<link rel="alternate" type="text/markdown" href="${relativeHref(file, toMarkdownFile(page.path))}">
${hasFeed(frame, page, content) && markup`<link rel="alternate" type="application/rss+xml" title="${content.title}" href="${relativeHref(file, feedFile(page.path))}">\n`}${tags}`
}

const shortened = (sections: RenderedPage['sections']) => {
  const line = sections
    .slice(0, 10)
    .map(({ text }) => text.slice(0, 4 * maxDescription))
    .join(' ')
    .trim()
  if (line.length <= maxDescription) return line
  const cut = line.slice(0, maxDescription - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxDescription / 2))}…`
}
