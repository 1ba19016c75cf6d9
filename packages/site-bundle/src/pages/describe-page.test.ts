import { parse } from 'parse5'
import { expect, test } from 'vitest'
import { describePage, hashStyle, type PageContext } from './describe-page.ts'

const context = (files: Record<string, string> = {}): PageContext => ({
  resolveLink: (href) => new URL(href, 'http://site/guide/').href.replace('http://site', ''),
  findFile: (reference) => {
    const path = new URL(reference, 'http://site/guide/').pathname.slice(1)
    const text = files[path]
    return text === undefined
      ? null
      : { path, sha256: `sum of ${text}`, styleHash: path.endsWith('.css') ? hashStyle(text) : null }
  },
})

const describe = (html: string, files?: Record<string, string>) => describePage(parse(html), context(files))

const vitePress = (page: {
  build: string
  text: string
  updated: string
  next: string
  active: string
}) => `<!DOCTYPE html>
<html lang="en-US" dir="ltr"><head><title>Guide | Acme</title>
<link rel="preload stylesheet" href="/assets/style.${page.build}.css" as="style">
<script type="module" src="/assets/app.${page.build}.js"></script>
<link rel="modulepreload" href="/assets/guide_index.md.${page.build}.lean.js">
<script id="check-dark-mode">(()=>{})()</script></head>
<body><div id="app"><div class="Layout"><header class="VPNav"><div class="VPNavBar"><a class="title" href="/">Acme</a>
<nav aria-labelledby="main-nav" class="VPNavBarMenu menu"><a class="VPLink link VPNavBarMenuLink ${page.active}" href="/guide/">Guide</a></nav></div></header>
<aside class="VPSidebar"><nav class="nav"><div class="VPSidebarItem level-1 is-link ${page.active}"><a class="VPLink link link" href="/guide/"><p class="text">Guide</p></a></div>
<div class="VPSidebarItem level-1 is-link"><a class="VPLink link link" href="/more"><p class="text">More</p></a></div></nav></aside>
<div class="VPContent has-sidebar"><div class="VPDoc has-sidebar has-aside"><div class="container">
<div class="aside"><div class="VPDocAside"><nav class="VPDocAsideOutline"><div class="content"><div class="outline-title">On this page</div><ul><li><a class="outline-link" href="#start">Start</a></li></ul></div></nav></div></div>
<div class="content"><div class="content-container"><main class="main"><div style="position:relative;" class="vp-doc _guide_index"><div>
<h1 id="guide" tabindex="-1">Guide <a class="header-anchor" href="#guide" aria-label="Permalink to &quot;Guide&quot;">​</a></h1>
<p>${page.text} See <a href="/more">more</a>.</p><img src="/assets/shot.${page.build}.png" alt="A shot">
<h2 id="start" tabindex="-1">Start <a class="header-anchor" href="#start" aria-label="Permalink to &quot;Start&quot;">​</a></h2>
<div class="language-yaml vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">yaml</span><pre class="shiki" tabindex="0"><code><span class="line"><span>a:</span></span>
<span class="line"><span>  b: 1</span></span></code></pre></div></div></div></main>
<footer class="VPDocFooter"><div class="edit-info"><div class="last-updated"><p class="VPLastUpdated">Last updated: <time datetime="${page.updated}"></time></p></div></div>
<nav class="prev-next"><div class="pager"><a class="VPLink link pager-link next" href="${page.next}"><span class="desc">Next page</span></a></div></nav></footer>
</div></div></div></div></div></div></div><script>window.__VP_HASH_MAP__=JSON.parse("{\\"guide_index.md\\":\\"${page.build}\\"}")</script></body></html>`

const files = (build: string, style = '.a{color:red}') => ({
  [`assets/style.${build}.css`]: style,
  [`assets/app.${build}.js`]: `import"./chunks/framework.${build}.js"`,
  [`assets/shot.${build}.png`]: 'PNG',
})

const first = {
  build: 'BxJ3k_2a',
  text: 'Hello  world.',
  updated: '2026-01-01T00:00:00Z',
  next: '/more',
  active: 'is-active',
}

test('A VitePress page is described by its text, without build ids, current-page marks, dates and previous/next links', () => {
  const description = describe(vitePress(first), files(first.build))
  expect(description).toMatchObject({
    title: 'Guide | Acme',
    language: 'en-US',
    headings: [
      { level: 1, text: 'Guide', id: 'guide' },
      { level: 2, text: 'Start', id: 'start' },
    ],
    links: ['/more'],
    shows: ['sum of PNG'],
  })
  const later = { build: 'Dq9zKabc', text: 'Hello world.', updated: '2027-01-01T00:00:00Z', next: '/new', active: '' }
  expect(describe(vitePress(later), files(later.build))).toEqual(description)
})

test('A changed word, a changed code indentation and a changed style are distinguished', () => {
  const description = describe(vitePress(first), files(first.build))
  const word = describe(vitePress({ ...first, text: 'Hello moon.' }), files(first.build))
  expect(word.textHash).not.toBe(description.textHash)
  expect(word.shared).toEqual(description.shared)
  const code = describe(vitePress(first).replace('  b: 1', '    b: 1'), files(first.build))
  expect(code.textHash).not.toBe(description.textHash)
  const style = describe(vitePress(first), files(first.build, '.a{color:blue}'))
  expect({ ...style, shared: null }).toEqual({ ...description, shared: null })
  expect(style.shared).toEqual({ ...description.shared, theme: expect.not.stringMatching(description.shared.theme!) })
})

test('A Docusaurus page is described without breadcrumbs, hash links, tags, edit links and previous/next links', () => {
  const page = (
    updated: string,
    next: string,
  ) => `<html lang=en><head><title data-rh=true>Intro | Acme</title></head><body>
<nav aria-label="Main" class="navbar navbar--fixed-top"><a class="navbar__brand" href="/">Acme</a></nav>
<aside class="theme-doc-sidebar-container docSidebarContainer_YfHR"><nav aria-label="Docs sidebar" class="menu thin-scrollbar"><ul class="theme-doc-sidebar-menu menu__list">
<li><a class="menu__link menu__link--active" aria-current="page" href="/guide/">Intro</a></li></ul></nav></aside>
<main class="docMainContainer_TBSr"><div class="container"><article><nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z_bl" aria-label="Breadcrumbs"><ul><li>Tutorial ${next}</li></ul></nav>
<span class="theme-doc-version-badge badge badge--secondary">Version: ${updated}</span>
<div class="tocCollapsible_ETCw theme-doc-toc-mobile tocMobile_ITEo"><button type="button">On this page</button></div>
<div class="theme-doc-markdown markdown"><header><h1>Intro</h1></header><p>Text.</p>
<h2 class="anchor anchorWithStickyNavbar_LWe7" id="go">Go<a href="#go" class="hash-link" aria-label="Direct link to Go" title="Direct link to Go">​</a></h2>
<div class="theme-admonition admonition_xJq3"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 14 16"></svg></span>tip</div><div><p>Mind.</p></div></div>
<ul><li><p>One</p></li></ul></div>
<footer class="theme-doc-footer docusaurus-mt-lg"><span class="theme-last-updated">Last updated on <b><time datetime="${updated}">${updated}</time></b></span></footer></article>
<nav class="docusaurus-mt-lg pagination-nav" aria-label="Docs pages"><a class="pagination-nav__link pagination-nav__link--next" href="${next}">Next ${next}</a></nav></div></main></body></html>`
  const description = describe(page('2026-01-01', '/a'))
  expect(description).toEqual(describe(page('2027-02-02', '/b')))
  expect(description.headings).toEqual([
    { level: 1, text: 'Intro', id: '' },
    { level: 2, text: 'Go', id: 'go' },
  ])
  expect(description.words).toBe(6)
})

test('A Starlight page is described with its asides and without the links beside its headings', () => {
  const page = (
    n: number,
  ) => `<html lang="en" data-has-toc><head><title>Install | Acme</title></head><body><header class="header"><a href="/" class="site-title">Acme</a></header>
<nav class="sidebar" aria-label="Main"><ul><li><a href="/guide/" aria-current="page"><span>Install</span></a></li></ul></nav>
<div class="main-frame"><aside class="right-sidebar-container"><starlight-toc><nav><h2>On this page</h2><ul><li><a href="#_top">Overview</a></li></ul></nav></starlight-toc></aside>
<main data-pagefind-body lang="en"><div class="content-panel"><h1 id="_top" data-page-title>Install</h1></div>
<div class="content-panel"><div class="sl-markdown-content"><div class="sl-heading-wrapper level-h2"><h2 id="npm">With npm</h2><a class="sl-anchor-link" href="#npm"><span aria-hidden="true" class="sl-anchor-icon"><svg></svg></span><span class="sr-only">Section titled “With npm”</span></a></div>
<aside aria-label="Note" class="starlight-aside"><p class="starlight-aside__title" aria-hidden="true">Note</p><div><p>Read this.</p></div></aside>
<starlight-tabs><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-${n}" id="tab-${n}" aria-selected="true">npm</a></li></ul><div id="tab-panel-${n}" role="tabpanel"><p>npm i</p></div></starlight-tabs></div>
<footer class="sl-flex"><div class="meta"><p>Last updated: <time>${n}</time></p></div><div class="pagination-links"><a href="/${n}/" rel="next">Next</a></div></footer></div></main></div></body></html>`
  const description = describe(page(1))
  expect(description).toEqual(describe(page(2)))
  expect(description).toMatchObject({
    words: 8,
    links: [],
    headings: [{ text: 'Install' }, { text: 'With npm', id: 'npm' }],
  })
})

test('A Material for MkDocs page is described without sidebars, permalinks, the edit button and the source date', () => {
  const page = (
    date: string,
    next: string,
  ) => `<html lang="en"><head><title>Setup - Acme</title></head><body><header class="md-header" data-md-component="header"><a href=".." title="Acme">Acme</a></header>
<main class="md-main" data-md-component="main"><div class="md-main__inner md-grid">
<div class="md-sidebar md-sidebar--primary"><nav class="md-nav md-nav--primary" aria-label="Navigation"><ul><li class="md-nav__item md-nav__item--active"><label class="md-nav__link" for="__toc">Setup</label><a href="./" class="md-nav__link md-nav__link--active">Setup</a>
<nav class="md-nav md-nav--secondary" aria-label="Table of contents"><ul><li><a href="#one">One</a></li></ul></nav></li></ul></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset"><a href="https://git/edit" title="Edit this page" class="md-content__button md-icon"><svg></svg></a>
<h1 id="setup">Setup<a class="headerlink" href="#setup" title="Permanent link">&para;</a></h1><p>Words.</p>
<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1</pre></div></td><td class="code"><pre><code>run</code></pre></td></tr></table></div>
<aside class="md-source-file"><span class="md-source-file__fact">${date}</span></aside></article></div></div></main>
<footer class="md-footer"><nav class="md-footer__inner" aria-label="Footer"><a href="${next}" class="md-footer__link md-footer__link--next">Next ${next}</a></nav>Copyright Acme, built ${date}</footer></body></html>`
  const description = describe(page('2026-01-01', '/a'))
  expect(description).toEqual(describe(page('2027-01-01 10:11:12', '/b')))
  expect(description).toMatchObject({ words: 3, links: [], headings: [{ level: 1, text: 'Setup', id: 'setup' }] })
})

test('A page without landmarks is described by its body, without header, navigation and footer', () => {
  const description = describe('<nav><a href="/a">A</a></nav><h1>Old page</h1><p>Text<footer>By me</footer>')
  expect(description).toMatchObject({ words: 3, headings: [{ text: 'Old page' }] })
  expect(description.shared.navigation).not.toBeNull()
  expect(description.shared.footer).not.toBeNull()
})

test('A page of 100,000 nested elements does not exhaust the stack', () => {
  expect(describe(`<main>${'<div>'.repeat(100_000)}deep`).words).toBe(1)
})
