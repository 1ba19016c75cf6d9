import { readFile } from 'node:fs/promises'
import { utilityStyles } from '#markdown/components/utilities.ts'
import { toHtmlFile, relativeHref } from '#writer/addresses.ts'
import type { Navigation } from '#writer/navigation.ts'
import { markup, raw } from '#writer/markup.ts'
import { htmlDocument, linkedAssets, ownIcon, type Frame } from './html-document.ts'
import { findLanguage } from './language.ts'

/** Parts of the style sheet. Later parts override earlier ones. */
const styleParts = 'base frame text content components blocks search narrow brand-narrow print'.split(' ')
const scriptParts = ['start', 'content']
const searchParts = ['search-words', 'search-index', 'search']
const bareParts = ['base', 'text', 'narrow']

/** Files that do not depend on page text: styles, scripts, icon, 404 page, and an index if the site has none. */
export const frameFiles = async (
  frame: Frame,
  navigation: (path: string) => Navigation,
  notFound: NotFoundContent | null,
): Promise<ReadonlyMap<string, string>> => {
  const { site } = frame
  const files = new Map([
    ['_docket/site.css', [await styles(styleParts), frame.look.styles].join('\n')],
    ['_docket/site.js', await scripts(scriptParts)],
    ['_docket/search.js', await scripts(searchParts)],
  ])
  files.set('_docket/utilities.css', utilityStyles())
  if (frame.favicon === null) files.set(ownIcon, icon(frame))
  files.set(
    '404.html',
    notFoundDocument(frame, {
      styles: await styles(bareParts),
      script: await asset('not-found.js'),
      navigation: navigation(''),
      own: notFound,
    }),
  )
  if (!site.pages.has('index')) files.set('index.html', firstPage(frame))
  return files
}

const scripts = async (names: readonly string[]) =>
  (await Promise.all(names.map((name) => asset(`${name}.js`)))).join('')

const styles = async (names: readonly string[]) =>
  (await Promise.all(names.map((name) => asset(`${name}.css`)))).join('\n')

const asset = (name: string) => readFile(new URL(`../assets/${name}`, import.meta.url), 'utf8')

/** Default icon in the accent colour. Without an icon, browsers request one from the host. */
const icon = ({ site }: Frame) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="2" width="22" height="28" rx="4" fill="${site.colors.light ?? '#2450b8'}"/><path d="M11 11h10M11 16h10M11 21h6" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>\n`

const firstPage = (frame: Frame) => {
  const first = frame.site.start
  const href = relativeHref('index.html', first === null ? '404.html' : toHtmlFile(first))
  return htmlDocument({
    frame,
    file: 'index.html',
    language: findLanguage(frame.site.nav, first ?? ''),
    title: frame.site.name,
    head: markup`<meta http-equiv="refresh" content="0; url=${href}">\n`,
    assets: linkedAssets(frame, 'index.html'),
    body: [
      markup`<main id="docket-content" tabindex="-1" class="alone"><h1>${frame.site.name}</h1>
<p><a href="${href}">Go to the first page</a></p></main>`,
    ],
  })
}

type NotFoundContent = { title: string; html: string }

/** 404 page for any depth, where relative links fail: styles and script are inline. The script finds the root of the site and corrects the addresses of links and pictures. */
const notFoundDocument = (
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
