import { toLine } from '@docket/sources/text'
import type { SourcePage } from '#site/source-page.ts'
import type { Frame } from '#writer/frame/frame.ts'
import { pageHeader } from '#writer/frame/header.ts'
import { htmlDocument, linkedAssets } from '#writer/frame/html-document.ts'
import { findLanguage } from '#writer/frame/language.ts'
import { pageHead } from '#writer/frame/page-head.ts'
import { encodePart, toHtmlFile } from './addresses.ts'
import { markup, raw } from './markup.ts'
import type { Navigation } from './navigation.ts'
import type { RenderedPage } from './render-page.ts'

/** Longest table of contents; nobody reads a longer one, and the browser would look at all of it with every move. Headings. */
export const maxContents = 500

/** A whole page of the bundle. */
export const pageDocument = (frame: Frame, page: SourcePage, content: RenderedPage, navigation: Navigation): string => {
  const file = toHtmlFile(page.path)
  return htmlDocument({
    file,
    language: findLanguage(page.path),
    title: content.title === frame.site.name ? content.title : `${content.title} · ${frame.site.name}`,
    head: pageHead(frame, page, content),
    assets: linkedAssets(frame, file),
    body: [
      pageHeader(frame, file, navigation.tabs),
      markup`<div class="columns">
<nav class="sidebar" id="docket-pages" aria-label="Pages">${navigation.sidebar}</nav>
<main id="docket-content" tabindex="-1">
<article>
${navigation.trail.length > 0 && markup`<p class="trail">${navigation.trail.join(' / ')}</p>`}
<h1${content.titleId && markup` id="${content.titleId}"`}>${content.title}</h1>
${page.description && markup`<p class="lead">${page.description}</p>`}
${page.operation && markup`<p class="operation"><code>${page.operation}</code></p>`}
${raw(content.html)}
</article>
${neighbours(navigation)}
${!frame.search && markup`<p class="foot">This copy has no search: its kind of deployment does without.</p>`}
</main>
${contents(content)}
</div>`,
    ],
  })
}

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
