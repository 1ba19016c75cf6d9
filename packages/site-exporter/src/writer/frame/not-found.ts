import { markup, raw } from '#writer/markup.ts'
import type { Navigation } from '#writer/navigation.ts'
import { htmlDocument, type Frame } from './html-document.ts'

/** Content of a source's own 404 page, with links from the start of the site. */
export type NotFoundContent = { title: string; html: string }

/**
 * 404 page for any depth, where relative links fail: styles and script are inline. The script finds the start of the site, and then
 * mends links and pictures, and shows navigation and search.
 */
export const notFoundDocument = (
  frame: Frame,
  {
    styles,
    script,
    navigation,
    own,
  }: { styles: string; script: string; navigation: Navigation; own: NotFoundContent | null },
): string => {
  const { title, description, leadsHome } = frame.site.brand.notFound
  const words = own?.title ?? title ?? 'Page not found'
  const hint = description ?? 'There is no page at this address. It may have moved, or the link has a mistake.'
  return htmlDocument({
    frame,
    file: '404.html',
    language: { lang: 'en', dir: null },
    title: `${words} · ${frame.site.name}`,
    head: markup`<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n`,
    assets: markup`<style>${raw(styles)}</style>\n<script>${raw(script)}</script>\n`,
    inline: [styles, script],
    body: [
      markup`<header class="top"><div class="bar"><span class="brand"><span class="site-name">${frame.site.name}</span></span>
<button type="button" class="search-button" data-search hidden><span>${frame.site.brand.searchPrompt ?? 'Search'}</span> <kbd aria-hidden="true">/</kbd></button></div></header>
<main id="docket-content" tabindex="-1" class="alone"${leadsHome && markup` data-leads-home`}><h1>${words}</h1>
${own ? markup`<div data-own>${raw(own.html)}</div>` : markup`<p>${hint}</p>`}
<p data-home hidden><a href="index.html">Go to the first page</a></p>
<nav class="not-found-pages" aria-label="Pages" data-home hidden>${navigation.tabs.map((row) => markup`<p class="tab-links">${row}</p>`)}${navigation.sidebar}</nav></main>`,
    ],
  })
}
