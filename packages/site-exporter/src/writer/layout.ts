import { toLine } from '@docket/sources/text'
import { hasUtilities } from '#markdown/components/utilities.ts'
import type { SourcePage } from '#site/source-page.ts'
import { siteFoot } from '#writer/frame/foot.ts'
import { htmlDocument, linkedAssets, type Frame } from '#writer/frame/html-document.ts'
import { findLanguage } from '#writer/frame/language.ts'
import { editLink, pageActions } from '#writer/frame/page-actions.ts'
import { pageHead } from '#writer/frame/page-head.ts'
import { barInMenu, pageTop } from '#writer/frame/top-bar.ts'
import { encodePart, relativeHref, toHtmlFile } from './addresses.ts'
import { markup, raw } from './markup.ts'
import type { Navigation } from './navigation.ts'
import type { RenderedPage } from './render-page.ts'

/** Maximum length of a table of contents, which the browser scans on every scroll. Headings. */
export const maxContents = 500

/** Renders a page of the bundle. */
export const pageDocument = (frame: Frame, page: SourcePage, content: RenderedPage, navigation: Navigation): string => {
  const file = toHtmlFile(page.path)
  const { site } = frame
  const trail = site.brand.trail === 'section' ? navigation.trail.slice(-1) : navigation.trail
  return htmlDocument({
    frame,
    file,
    language: findLanguage(page.path),
    title: content.title === site.name ? content.title : `${content.title} · ${site.name}`,
    head: pageHead(frame, page, content),
    assets: markup`${linkedAssets(frame, file)}${hasUtilities(content.html) && markup`<link rel="stylesheet" href="${relativeHref(file, '_docket/utilities.css')}">\n`}`,
    body: [
      pageTop(frame, file, relativeHref(file, toHtmlFile(site.start ?? page.path)), navigation),
      markup`<div class="columns${page.mode && ` mode-${page.mode}`}">
<nav class="sidebar" id="docket-pages" aria-label="Pages">${barInMenu(frame, file)}${navigation.anchors}${navigation.sidebar}</nav>
<main id="docket-content" tabindex="-1">
${pageActions(frame, file, page, content)}
<article>
${trail.length > 0 && markup`<p class="trail">${trail.join(' / ')}</p>`}
<h1${content.titleId && markup` id="${content.titleId}"`}>${content.title}</h1>
${site.dialect === 'common' && page.description && markup`<p class="lead">${page.description}</p>`}
${page.operation && markup`<p class="operation"><code>${page.operation}</code></p>`}
${page.missing !== undefined && missingPart(page.missing)}
${raw(content.html)}
</article>
${editLink(frame, page)}
${neighbours(frame, navigation)}
${siteFoot(frame, file)}
</main>
${contents(frame, content)}
</div>`,
    ],
  })
}

/** Says in place of an operation or a schema that it is missing. */
const missingPart = (sentence: string) =>
  markup`<div class="callout warning not-here" role="note"><p class="callout-title">Not in this copy</p><p>${sentence.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part))}</p></div>`

const contents = ({ site }: Frame, { headings }: RenderedPage) => {
  const title = site.brand.words.contents ?? 'On this page'
  const items = headings
    .slice(0, maxContents)
    .map(
      ({ id, text, level }) =>
        markup`<li class="level-${level}"><a href="#${encodePart(id)}">${toLine(text) ?? ''}</a></li>`,
    )
  return items.length > 1 && markup`<nav class="contents" aria-label="${title}"><p>${title}</p><ul>${items}</ul></nav>`
}

const neighbours = ({ site }: Frame, { previous, next }: Navigation) =>
  (previous || next) &&
  markup`<nav class="neighbours" aria-label="Previous and next page">${previous && markup`<div><span>${site.brand.words.previous ?? 'Previous'}</span>${previous}</div>`}${next && markup`<div class="next"><span>${site.brand.words.next ?? 'Next'}</span>${next}</div>`}</nav>`
