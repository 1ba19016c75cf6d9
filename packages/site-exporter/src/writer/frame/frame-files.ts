import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { utilityStyles } from '#markdown/components/utilities.ts'
import { toHtmlFile, relativeHref } from '#writer/addresses.ts'
import { accentStyles } from '#writer/colors.ts'
import { markup, raw } from '#writer/markup.ts'
import { htmlDocument, linkedAssets, ownIcon, type Frame } from './html-document.ts'
import { findLanguage } from './language.ts'

/** Parts of the style sheet. Later parts override earlier ones. */
const styleParts =
  'colors base top frame text code content components pieces parts api blocks modes search narrow print'.split(' ')
/** The first part prepares the others. */
const scriptParts = ['start', 'tabs', 'blocks', 'headings']
/** Scripts of the search. */
const searchParts = ['search-words', 'search-index', 'search']
/** Style for pages without navigation and content. */
const bareParts = ['colors', 'base', 'top', 'text', 'narrow']

/** Files independent of page text: styles, scripts, icon, 404 page, and an index if the site has none. */
export const frameFiles = async (frame: Frame): Promise<ReadonlyMap<string, string>> => {
  const { site } = frame
  const files = new Map([
    ['_docket/site.css', await styles(frame, styleParts)],
    ['_docket/site.js', await scripts(scriptParts)],
    ['_docket/search.js', await scripts(searchParts)],
  ])
  files.set('_docket/utilities.css', utilityStyles())
  if (frame.favicon === null) files.set(ownIcon, icon(frame))
  if (!site.pages.has('404'))
    files.set('404.html', notFoundDocument(frame, await styles(frame, bareParts), await asset('not-found.js')))
  if (!site.pages.has('index')) files.set('index.html', firstPage(frame))
  return files
}

const scripts = async (names: readonly string[]) =>
  (await Promise.all(names.map((name) => asset(`${name}.js`)))).join('')

const styles = async ({ site }: Frame, names: readonly string[]) => {
  const parts = await Promise.all(names.map((name) => asset(`${name}.css`)))
  return [...parts, accentStyles(site.colors)].join('\n')
}

const asset = (name: string) => readFile(new URL(`../assets/${name}`, import.meta.url), 'utf8')

/** Default icon in the accent colour. Without one, browsers ask the host. */
const icon = ({ site }: Frame) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="2" width="22" height="28" rx="4" fill="${site.colors.light ?? '#2450b8'}"/><path d="M11 11h10M11 16h10M11 21h6" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>\n`

/** Index of a bundle whose source has none. */
const firstPage = (frame: Frame) => {
  const first = frame.site.start
  const href = relativeHref('index.html', first === null ? '404.html' : toHtmlFile(first))
  return htmlDocument({
    file: 'index.html',
    language: findLanguage(first ?? ''),
    title: frame.site.name,
    head: markup`<meta http-equiv="refresh" content="0; url=${href}">\n`,
    assets: linkedAssets(frame, 'index.html'),
    body: [
      markup`<main id="docket-content" tabindex="-1" class="alone"><h1>${frame.site.name}</h1>
<p><a href="${href}">Go to the first page</a></p></main>`,
    ],
  })
}

/** 404 page for any depth, where relative links fail: styles and script are inline. It links to the last known start of the site. */
const notFoundDocument = (frame: Frame, styles: string, script: string): string =>
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
