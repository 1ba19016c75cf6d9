import { readAsset, readSearchTerms, readSharedScript } from '#writer/extras/extras.ts'
import { formatUtilityStyles } from '#markdown/components/utilities.ts'
import { toHtmlFile, toRelativeHref } from '#writer/addresses.ts'
import type { Navigation } from '#writer/navigation.ts'
import { markup, trustHtml } from '#writer/markup.ts'
import { renderHtmlDocument, renderLinkedAssets, ownIcon, type Frame } from './html-document.ts'
import { findLanguage, findPageWording, formatWordsFile, toWordsFile } from './language.ts'
import { findWording } from '#site/words.ts'

const scriptParts = ['start', 'content']
const searchParts = ['search-index', 'search']

/** Files that do not depend on page text: styles, scripts, icon, 404 page, and an index if the site has none. */
export const buildFrameFiles = async (
  frame: Frame,
  navigation: (path: string) => Navigation,
  notFound: NotFoundContent | null,
): Promise<ReadonlyMap<string, string>> => {
  const { site } = frame
  const styles = await readAsset('site.css')
  const files = new Map([
    ['_docket/site.css', `${styles}\n${frame.look.styles}`],
    [
      '_docket/site.js',
      (await readScripts(scriptParts)) + (await readSharedScript('../copies/format-markdown.js', 'formatMarkdown')),
    ],
    ['_docket/search.js', (await readSearchTerms()) + (await readScripts(searchParts))],
  ])
  for (const words of new Set([site.language, ...site.languages.values()].map(({ lang }) => findWording(lang))))
    files.set(toWordsFile(words), formatWordsFile(words))
  files.set('_docket/utilities.css', formatUtilityStyles())
  if (frame.favicon === null) files.set(ownIcon, drawDefaultIcon(frame))
  files.set(
    '404.html',
    renderNotFoundDocument(frame, {
      styles,
      script: await readAsset('not-found.js'),
      navigation: navigation(''),
      own: notFound,
    }),
  )
  if (!site.pages.has('index')) files.set('index.html', findFirstPage(frame))
  return files
}

const readScripts = async (names: readonly string[]) =>
  (await Promise.all(names.map((name) => readAsset(`${name}.js`)))).join('')

/** Default icon in the accent colour. Without an icon, browsers request one from the host. */
const drawDefaultIcon = ({ site }: Frame) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="2" width="22" height="28" rx="4" fill="${site.colors.light ?? '#2450b8'}"/><path d="M11 11h10M11 16h10M11 21h6" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>\n`

const findFirstPage = (frame: Frame) => {
  const first = frame.site.start
  const href = toRelativeHref('index.html', first === null ? '404.html' : toHtmlFile(first))
  return renderHtmlDocument({
    frame,
    file: 'index.html',
    language: findLanguage(frame.site, first ?? ''),
    title: frame.site.name,
    head: markup`<meta http-equiv="refresh" content="0; url=${href}">\n`,
    assets: renderLinkedAssets(frame, 'index.html'),
    body: [
      markup`<main id="docket-content" tabindex="-1" class="alone"><h1>${frame.site.name}</h1>
<p><a href="${href}">${findPageWording(frame.site, first ?? '').frame.firstPage}</a></p></main>`,
    ],
  })
}

type NotFoundContent = { title: string; html: string }

/** 404 page for any depth, where relative links fail: styles and script are inline. The script finds the root of the site and corrects the addresses of links and pictures. */
const renderNotFoundDocument = (
  frame: Frame,
  {
    styles,
    script,
    navigation,
    own,
  }: { styles: string; script: string; navigation: Navigation; own: NotFoundContent | null },
): string => {
  const { title, description, leadsHome } = frame.site.brand.notFound
  const words = findWording(frame.site.language.lang)
  const heading = own?.title ?? title ?? words.frame.notFound
  return renderHtmlDocument({
    frame,
    file: '404.html',
    language: frame.site.language,
    title: `${heading} · ${frame.site.name}`,
    head: markup`<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n`,
    assets: markup`<style>${trustHtml(styles)}</style>\n<script>${trustHtml(script)}</script>\n`,
    inline: [styles, script],
    body: [
      markup`<header class="top"><div class="bar"><span class="brand"><span class="site-name">${frame.site.name}</span></span>
<button type="button" class="search-button" data-search hidden><span>${frame.site.brand.searchPrompt ?? words.frame.search}</span> <kbd aria-hidden="true">/</kbd></button></div></header>
<main id="docket-content" tabindex="-1" class="alone"${leadsHome && markup` data-leads-home`} data-words="${toWordsFile(words)}"><h1>${heading}</h1>
${own ? markup`<div data-own>${trustHtml(own.html)}</div>` : markup`<p>${description ?? words.frame.notFoundHint}</p>`}
<p data-home hidden><a href="index.html">${words.frame.firstPage}</a></p>
<nav class="not-found-pages" aria-label="${words.frame.pages}" data-home hidden>${navigation.tabs.map((row) => markup`<p class="tab-links">${row}</p>`)}${navigation.sidebar}</nav></main>`,
    ],
  })
}
