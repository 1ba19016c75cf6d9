import { toLine } from '@docket/sources/text'
import { hasUtilities } from '#markdown/components/utilities.ts'
import type { SourcePage } from '#site/source-page.ts'
import { htmlDocument, linkedAssets, type Frame } from '#writer/frame/html-document.ts'
import { findLanguage } from '#writer/frame/language.ts'
import { encodePart, publicPath, relativeHref, toHtmlFile } from './addresses.ts'
import { markup, raw, type Markup } from './markup.ts'
import type { Navigation } from './navigation.ts'
import type { RenderedPage } from './render-page.ts'

/** Maximum length of a table of contents, which the browser scans on every scroll. Headings. */
export const maxContents = 500

/** Renders a page of the bundle. */
export const pageDocument = (frame: Frame, page: SourcePage, content: RenderedPage, navigation: Navigation): string => {
  const file = toHtmlFile(page.path)
  return htmlDocument({
    file,
    language: findLanguage(page.path),
    title: content.title === frame.site.name ? content.title : `${content.title} · ${frame.site.name}`,
    head: pageHead(frame, page, content),
    assets: markup`${linkedAssets(frame, file)}${hasUtilities(content.html) && markup`<link rel="stylesheet" href="${relativeHref(file, '_docket/utilities.css')}">\n`}`,
    body: [
      pageHeader(frame, file, navigation.tabs),
      markup`<div class="columns${page.mode && ` mode-${page.mode}`}">
<nav class="sidebar" id="docket-pages" aria-label="Pages">${navigation.sidebar}</nav>
<main id="docket-content" tabindex="-1">
<article>
${navigation.trail.length > 0 && markup`<p class="trail">${navigation.trail.join(' / ')}</p>`}
<h1${content.titleId && markup` id="${content.titleId}"`}>${content.title}</h1>
${page.description && markup`<p class="lead">${page.description}</p>`}
${page.operation && markup`<p class="operation"><code>${page.operation}</code></p>`}
${page.missing !== undefined && missingPart(page.missing)}
${raw(content.html)}
</article>
${neighbours(navigation)}
</main>
${contents(content)}
</div>`,
    ],
  })
}

/** Says in place of an operation or a schema that it is missing. */
const missingPart = (sentence: string) =>
  markup`<div class="callout warning not-here" role="note"><p class="callout-title">Not in this copy</p><p>${sentence.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part))}</p></div>`

const contents = ({ headings }: RenderedPage) => {
  const items = headings
    .slice(0, maxContents)
    .map(
      ({ id, text, level }) =>
        markup`<li class="level-${level}"><a href="#${encodePart(id)}">${toLine(text) ?? ''}</a></li>`,
    )
  return (
    items.length > 1 &&
    markup`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`
  )
}

const neighbours = ({ previous, next }: Navigation) =>
  (previous || next) &&
  markup`<nav class="neighbours" aria-label="Previous and next page">${previous && markup`<div><span>Previous</span>${previous}</div>`}${next && markup`<div class="next"><span>Next</span>${next}</div>`}</nav>`

/** Top bar and tabs. The script reveals the buttons that need it. */
const pageHeader = (frame: Frame, file: string, tabs: readonly Markup[]): Markup => {
  const { site, version } = frame
  return markup`<header class="top">
<div class="bar">
<button type="button" class="menu-button" data-menu aria-expanded="false" aria-controls="docket-pages" hidden>Menu</button>
${site.start !== null && markup`<a class="brand" href="${relativeHref(file, toHtmlFile(site.start))}">${brand(frame, file)}</a>`}
${version && markup`<span class="version">${version}</span>`}
<button type="button" class="search-button" data-search hidden><span>Search</span><kbd>/</kbd></button>
<button type="button" class="theme-button" data-theme-toggle hidden aria-label="Dark colours" aria-pressed="false"><span aria-hidden="true">◐</span></button>
</div>
${tabs.map((row, index) => markup`<nav class="tab-row" aria-label="${index === 0 ? 'Sections' : `Sections, level ${index + 1}`}">${row}</nav>`)}
</header>`
}

const brand = ({ site, logo }: Frame, file: string) => {
  if (!logo) return markup`${site.name}`
  const image = (kind: string, name: string) =>
    markup`<img class="${kind}" src="${relativeHref(file, name)}" alt="${site.name}">`
  return logo.light === logo.dark
    ? image('', logo.light)
    : markup`${image('on-light', logo.light)}${image('on-dark', logo.dark)}`
}

/** Maximum length of a description; search engines cut longer ones. Characters. */
const maxDescription = 155

/** Metadata for search engines and link previews. */
const pageHead = (frame: Frame, page: SourcePage, content: RenderedPage): Markup => {
  const description = page.description ?? shortened(content.sections)
  const address =
    frame.base === null ? null : `${frame.base}/${publicPath(page.path).split('/').map(encodePart).join('/')}`
  return markup`${description && markup`<meta name="description" content="${description}">\n`}${page.hidden !== null && markup`<meta name="robots" content="noindex">\n`}${address && markup`<link rel="canonical" href="${address}">\n`}<meta property="og:type" content="${page.path === 'index' ? 'website' : 'article'}">
<meta property="og:title" content="${content.title}">
<meta property="og:site_name" content="${frame.site.name}">
${description && markup`<meta property="og:description" content="${description}">\n`}${address && markup`<meta property="og:url" content="${address}">\n`}`
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
