import type { SourcePage, SourceSite } from '#source/site.ts'
import { htmlFileOf, publicPath, relativeHref } from '#writer/addresses.ts'
import { markup, raw, type Markup } from '#writer/markup.ts'
import type { Navigation } from '#writer/navigation.ts'
import type { RenderedPage } from '#writer/render-page.ts'

/** What is the same on every page. Files are those of the bundle. */
export type Frame = {
  site: SourceSite
  version: string | null
  logo: { light: string; dark: string } | null
  favicon: string | null
  /** `https://docs.example.com`, where the domain is a public one. */
  base: string | null
}

// `file:` is for pages opened from a disk, where `'self'` matches nothing in some browsers.
const policy = [
  ["default-src 'none'"],
  ["script-src 'self' file:"],
  ["style-src 'self' file:"],
  ["img-src 'self' file: data:"],
  ["media-src 'self' file:"],
  ["base-uri 'none'"],
  ["form-action 'none'"],
].join('; ')

/** A whole page of the bundle. */
export const pageDocument = (frame: Frame, page: SourcePage, content: RenderedPage, navigation: Navigation): string => {
  const here = htmlFileOf(page.path)
  const title = content.title === frame.site.name ? content.title : `${content.title} · ${frame.site.name}`
  const canonical = frame.base && markup`<link rel="canonical" href="${frame.base}/${publicPath(page.path)}">`
  const description = page.description && markup`<meta name="description" content="${page.description}">`
  return document(frame, here, title, markup`${description}${canonical}`, [
    header(frame, here, navigation.tabs),
    markup`<div class="columns">
<nav class="sidebar" aria-label="Pages">${navigation.sidebar}</nav>
<main id="docket-content" tabindex="-1">
<article>
${navigation.trail.length > 0 && markup`<p class="trail">${navigation.trail.join(' / ')}</p>`}
<h1>${content.title}</h1>
${page.description && markup`<p class="lead">${page.description}</p>`}
${page.operation && markup`<p class="operation"><code>${page.operation}</code></p>`}
${raw(content.html)}
</article>
${neighbours(navigation)}
</main>
${contents(content)}
</div>`,
  ])
}

/** Page for addresses that lead nowhere; hosts serve it at any depth, so it depends on nothing but its own words. */
export const notFoundDocument = (frame: Frame): string =>
  document(frame, '404.html', `Not found · ${frame.site.name}`, markup`<meta name="robots" content="noindex">`, [
    header(frame, '404.html', []),
    markup`<main id="docket-content" tabindex="-1" class="alone"><h1>Page not found</h1>
<p>There is no page at this address. It may have moved, or the link has a mistake.</p></main>`,
  ])

const document = (frame: Frame, here: string, title: string, head: Markup, body: Markup[]) =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}${frame.favicon && markup`<link rel="icon" href="${relativeHref(here, frame.favicon)}">`}
<link rel="stylesheet" href="${relativeHref(here, '_docket/site.css')}">
<script src="${relativeHref(here, '_docket/site.js')}"></script>
<script defer src="${relativeHref(here, '_docket/search.js')}" data-root="${relativeHref(here, '_docket').replace(/_docket$/, '')}"></script>
</head>
<body>
<a class="skip" href="#docket-content">Skip to the content</a>
${body}
</body>
</html>
`.html

const header = (frame: Frame, here: string, tabs: readonly Markup[]) => {
  const { site, version, logo } = frame
  const home = site.pages.has('index') ? 'index' : [...site.pages.keys()][0]
  const mark = logo
    ? markup`<img class="on-light" src="${relativeHref(here, logo.light)}" alt="${site.name}"><img class="on-dark" src="${relativeHref(here, logo.dark)}" alt="${site.name}">`
    : markup`${site.name}`
  return markup`<header class="top">
<div class="bar">
<button type="button" class="menu-button" data-menu aria-expanded="false" hidden>Menu</button>
${home !== undefined && markup`<a class="brand" href="${relativeHref(here, htmlFileOf(home))}">${mark}</a>`}
${version && markup`<span class="version">${version}</span>`}
<button type="button" class="search-button" data-search hidden><span>Search</span><kbd>/</kbd></button>
<button type="button" class="theme-button" data-theme-toggle hidden aria-label="Dark colours" aria-pressed="false"><span aria-hidden="true">◐</span></button>
</div>
${tabs.map((row, index) => markup`<nav class="tab-row" aria-label="${index === 0 ? 'Sections' : `Sections, level ${index + 1}`}">${row}</nav>`)}
</header>`
}

const contents = ({ headings }: RenderedPage) => {
  const items = headings.map(
    ({ id, text, level }) => markup`<li class="level-${level}"><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
  )
  return (
    items.length > 1 &&
    markup`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`
  )
}

const neighbours = ({ previous, next }: Navigation) =>
  (previous || next) &&
  markup`<nav class="neighbours" aria-label="Previous and next page">${previous && markup`<div><span>Previous</span>${previous}</div>`}${next && markup`<div class="next"><span>Next</span>${next}</div>`}</nav>`
