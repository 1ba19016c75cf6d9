import { expect, test } from 'vitest'
import { extractPage } from './extract-page.ts'

const at = 'https://docs.example/guide/start'
const page = (body: string, head = '') => extractPage(`<!doctype html><head>${head}</head><body>${body}</body>`, at)
const code = (language: string, text: string, title = '') =>
  `<pre><code${language && ` class="language-${language}"`}${title && ` data-meta="title=&#x22;${title}&#x22;"`}>${text}\n</code></pre>`

test('from a VitePress page, code tabs, callouts and headings without permalinks are extracted, and nothing of the frame', () => {
  const { title, html, sidebar } = page(`
    <div class="Layout"><header class="VPNav"><a href="/x">Site</a></header>
    <aside class="VPSidebar"><nav><span class="visually-hidden">Sidebar Navigation</span>
      <div class="group"><section class="VPSidebarItem level-0"><div class="item" role="button"><h2 class="text">Guide</h2></div>
      <div class="items"><div class="VPSidebarItem is-link"><div class="item"><a class="link" href="/guide/start"><p class="text">Start</p></a></div></div>
      <div class="VPSidebarItem is-link"><div class="item"><a class="link" href="/guide/next"><p class="text">Next</p></a></div></div>
      <div class="VPSidebarItem is-link"><div class="item"><a class="link" href="/guide/last"><p class="text">Last</p></a></div></div></div></section></div></nav></aside>
    <div class="VPContent"><main class="main"><div class="vp-doc"><div>
      <h1 id="start" tabindex="-1">Start <a class="header-anchor" href="#start" aria-label="Permalink to &quot;Start&quot;">&#8203;</a></h1>
      <div class="vp-code-group"><div class="tabs"><input type="radio" id="a" checked><label for="a">npm</label><input type="radio" id="b"><label for="b">pnpm</label></div>
      <div class="blocks"><div class="language-sh active"><button class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>npm i</span></span></code></pre></div>
      <div class="language-sh"><button class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>pnpm i</span></span></code></pre></div></div></div>
      <div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Good.</p></div>
      <p><img src="/logo.svg" alt="Logo" onerror="alert(1)"><a href="./next.html#part" onclick="x()">on</a><script>alert(1)</script></p>
    </div></div></main><footer class="VPDocFooter"><a class="pager-link" href="/guide/next">Next page</a></footer></div></div>`)
  expect(title).toBe('Start')
  expect(html).toContain(
    `<tabs><tab title="npm">${code('sh', 'npm i')}</tab><tab title="pnpm">${code('sh', 'pnpm i')}</tab></tabs>`,
  )
  expect(html).toMatch(/<tip>\s*<p>Good\.<\/p>\s*<\/tip>/)
  expect(html).toMatch(/<img alt="Logo" src="docket-mirror:\d"><a href="docket-mirror:\d">on<\/a>/)
  expect(html).not.toMatch(/Next page|Site|Permalink|script|onclick|onerror|<h1|copy/)
  expect(sidebar).toEqual([
    {
      title: 'Guide',
      children: ['start', 'next', 'last'].map((name) => ({
        title: name[0]!.toUpperCase() + name.slice(1),
        url: `https://docs.example/guide/${name}`,
      })),
    },
  ])
})

test('on an mdBook page, the first heading of the content is the title, and the list after a chapter holds its sections', () => {
  const { title, html, sidebar } = page(`
    <nav id="sidebar" class="sidebar" aria-label="Table of contents"><div class="sidebar-scrollbox"><ol class="chapter">
      <li class="chapter-item"><a href="one.html"><strong aria-hidden="true">1.</strong> One</a></li>
      <li><ol class="section"><li class="chapter-item"><a href="a.html">1.1. A</a></li><li><a href="b.html">1.2. B</a></li></ol></li>
      <li class="chapter-item"><a href="two.html">2. Two</a></li></ol></div></nav>
    <div class="page-wrapper"><div id="menu-bar"><h1 class="menu-title">The Book</h1></div>
    <div id="content"><main><h2 id="a"><a class="header" href="#a">What is A?</a></h2><p>Words.</p><h3 id="b"><a class="header" href="#b">B</a></h3></main></div></div>`)
  expect(title).toBe('What is A?')
  expect(html).toMatch(/^<span id="a"><\/span><p>Words\.<\/p><h3 id="b">B<\/h3>$/)
  expect(sidebar).toMatchObject([
    { title: '1. One', children: [{ title: '1. One' }, { title: '1.1. A' }, { title: '1.2. B' }] },
    { title: '2. Two' },
  ])
})

test('from a Sphinx page, code languages, captions, warnings and subpages are extracted, but no previous and next links', () => {
  const { title, html, sidebar } = page(`
    <div class="related" role="navigation"><ul><li><a href="a" title="next chapter">next</a></li><li><a href="b">index</a></li><li><a href="c">modules</a></li></ul></div>
    <div class="document"><div class="body" role="main"><section id="deploying"><h1>Deploying<a class="headerlink" href="#deploying" title="Permalink">¶</a></h1>
      <div class="literal-block-wrapper docutils container"><div class="code-block-caption"><span class="caption-text">hello.py</span><a class="headerlink" href="#x">¶</a></div>
      <div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="kn">import</span> os\n</pre></div></div></div>
      <div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>
      <div class="toctree-wrapper compound"><ul><li class="toctree-l1"><a class="reference internal" href="nginx.html">nginx</a></li><li><a href="apache.html">Apache</a></li><li><a href="caddy.html">Caddy</a></li></ul></div>
    </section></div></div>
    <div class="sphinxsidebar" role="navigation"><h3>Navigation</h3><ul><li><a href="../index.html">Overview</a><ul><li>Previous: <a href="p" title="previous chapter">P</a></li><li>Next: <a href="n" title="next chapter">N</a></li></ul></li></ul></div>`)
  expect(title).toBe('Deploying')
  expect(html).toContain(code('python', 'import os', 'hello.py'))
  expect(html).toMatch(/<warning>\s*<p>Hot\.<\/p>\s*<\/warning>/)
  expect(html).not.toMatch(/¶|Permalink|modules/)
  expect(sidebar).toMatchObject([
    { title: 'Deploying', children: [{ url: at }, { title: 'nginx' }, { title: 'Apache' }, { title: 'Caddy' }] },
  ])
})

test('from a Docusaurus page, a group lists its first page once, code titles are kept, and icon-font characters are removed', () => {
  const { title, html, sidebar } = page(
    `<nav class="navbar"><a href="/">Site</a></nav><aside class="theme-doc-sidebar-container"><nav class="menu" aria-label="Docs sidebar"><ul class="theme-doc-sidebar-menu menu__list">
      <li class="theme-doc-sidebar-item-category"><div class="menu__list-item-collapsible"><a class="menu__link menu__link--sublist" href="/guide/start">Guide</a></div>
        <ul class="menu__list"><li><a class="menu__link" href="/guide/start">Start</a></li><li><a class="menu__link" href="/guide/next">Next</a></li></ul></li>
      <li><a class="menu__link" href="/about">About</a></li></ul></nav></aside>
    <main><article><nav class="theme-doc-breadcrumbs"><ul><li>Guide</li></ul></nav><div class="theme-doc-markdown markdown"><header><h1>Start \uf0c1</h1></header>
      <h2 class="anchor anchorTarget_w" id="two">Two<a href="#two" class="hash-link" aria-label="Direct link to Two">\u200b</a></h2>
      <div class="language-js codeBlockContainer_x theme-code-block"><div class="codeBlockTitle_y">src/a.js</div><div class="codeBlockContent_z"><pre class="prism-code language-js"><code><span class="token-line">const a = 1<br></span><span class="token-line">a()<br></span></code></pre><div class="buttonGroup_q"><button>Copy</button></div></div></div>
    </div></article><nav class="pagination-nav"><a href="/guide/next">Next</a></nav></main>`,
    '<title>Start | Site</title><meta name="description" content="How to start">',
  )
  expect(title).toBe('Start')
  expect(html.trim()).toBe(`<h2 id="two">Two</h2>\n      ${code('js', 'const a = 1\na()', 'src/a.js')}`)
  expect(sidebar).toMatchObject([
    { title: 'Guide', children: [{ title: 'Start' }, { title: 'Next' }] },
    { title: 'About' },
  ])
})
