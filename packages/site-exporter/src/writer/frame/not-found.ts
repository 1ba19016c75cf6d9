import { markup, raw } from '#writer/markup.ts'
import type { Frame } from './frame.ts'
import { htmlDocument } from './html-document.ts'

/**
 * The page for addresses that lead nowhere. Hosts serve it at any depth, where no relative link could be right: it holds its style
 * and its script itself, and links to the place that a page of this site was last seen at, else to the root of the host.
 */
export const notFoundDocument = (frame: Frame, styles: string, script: string): string =>
  htmlDocument({
    file: '404.html',
    language: { lang: 'en', dir: null },
    title: `Not found · ${frame.site.name}`,
    head: markup`<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n`,
    assets: markup`<style>${raw(styles)}</style>\n<script>${raw(script)}</script>\n`,
    inline: [styles, script],
    body: [
      markup`<header class="top"><div class="bar"><span class="brand">${frame.site.name}</span></div></header>
<main id="docket-content" tabindex="-1" class="alone"><h1>Page not found</h1>
<p>There is no page at this address. It may have moved, or the link has a mistake.</p>
<p data-home hidden><a>Go to the first page</a></p></main>`,
    ],
  })
