type Files = Readonly<Record<string, string>>

/** A page with a title. */
export const html = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title>${head}</head><body>${body}</body></html>`

const vitepressHead =
  '<link rel="preload stylesheet" href="/docs/assets/style.AbC123.css" as="style"><link rel="modulepreload" href="/docs/assets/chunks/framework.X1.js"><link rel="modulepreload" href="/docs/assets/guide_index.md.Q9.lean.js"><script type="module" src="/docs/assets/app.Z0.js"></script>'
const vitepressNav =
  '<nav><a href="/docs/">Home</a><a href="/docs/guide/tabs.html#npm-1">Tabs</a><a href="/docs/api">API</a><a href="/">Company</a></nav>'

const docusaurusHead =
  '<link rel="canonical" href="https://docs.acme.com/intro/"><link rel="alternate" type="application/rss+xml" href="/blog/rss.xml"><meta property="og:image" content="https://docs.acme.com/img/card.png"><link data-rh="true" rel="preconnect" href="/"><script src="/assets/js/main.1a.js" defer></script>'

/** What generators of sites write, in small. The check finds nothing wrong with any of them. */
export const generatorSites: Record<string, Files> = {
  'VitePress below a folder, with clean addresses': {
    'index.html': html(vitepressHead, `${vitepressNav}<h1 id="home">Home <a href="#home">#</a></h1>`),
    '404.html': html(vitepressHead, '<div id="app"></div>'),
    'api.html': html(
      vitepressHead,
      `${vitepressNav}<h1 id="api">API</h1><a href="./guide/">Guide</a><a href="./api?tab=a#api">Self</a>`,
    ),
    'guide/index.html': html(
      vitepressHead,
      `${vitepressNav}<h1 id="guide">Guide</h1><a href="./tabs.html">Tabs</a><a href="../api.html">API</a>`,
    ),
    'guide/tabs.html': html(
      vitepressHead,
      `${vitepressNav}<h1 id="tabs">Tabs</h1><img alt="" src="/docs/assets/logo.K2.png">`,
    ),
    'assets/style.AbC123.css':
      '@font-face{font-family:I;src:url(/docs/assets/inter.W.woff2) format("woff2")}.a{background:url("data:image/svg+xml;utf8,<svg xmlns=\'http://www.w3.org/2000/svg\'/>")}/* url(https://a.example/x) */',
    'assets/inter.W.woff2': '',
    'assets/logo.K2.png': '',
    'assets/app.Z0.js':
      'import{a as t}from"./chunks/framework.X1.js";const u=e=>`/docs/${e}`;t(()=>import("./guide_index.md.Q9.js"),[]);const id="npm-"+1;/* fetch("https://a.example") */',
    'assets/chunks/framework.X1.js':
      'export const a=1;const msg="see https://vuejs.org/errors",re=/fetch\\("https:\\/\\/a.example"\\)/',
    'assets/guide_index.md.Q9.js': 'const s=\'fetch("https://api.example.com/v1")\';export{s}',
    'assets/guide_index.md.Q9.lean.js': 'const s=""',
  },
  'Docusaurus with trailing slashes': {
    'index.html': html(
      docusaurusHead,
      '<a href="/intro/">Intro</a><a class="skip" href="#__docusaurus_skipToContent_fallback">Skip</a><div id="__docusaurus_skipToContent_fallback"></div>',
    ),
    '404.html': html(docusaurusHead, '<h1>Not found</h1>'),
    'intro/index.html': html(
      docusaurusHead,
      '<h1>Intro</h1><h2 id="über">Über<a class="hash-link" href="#über"></a></h2><a href="#%C3%BCber">Ü</a><pre><code><span>&lt;img src="https://a.example/x.png"&gt;</span> <span>fetch</span>(<span>"https://a.example"</span>)</code></pre><a href="/intro/?tab=npm#über">Tab</a><a target="_blank" href="pathname:///x">x</a>',
    ),
    'blog/rss.xml': '<rss/>',
    'assets/js/main.1a.js':
      '(()=>{var e={};e.p="/";e.u=t=>"assets/js/"+t+".js";document.createElement("script").src=e.p+"assets/js/9.js"})()',
    'sitemap.xml': '<urlset><url><loc>https://docs.acme.com/intro/</loc></url></urlset>',
  },
  'MkDocs in a folder of the archive': {
    'public/index.html': html(
      '<link rel="stylesheet" href="assets/main.css"><link rel="icon" href="./assets/i.png"><script>__md_scope=new URL(".",location);new Worker("assets/w.js")</script>',
      '<form role="search"><input type="search"></form><h1 id="home">Home</h1><a href=".">.</a><a href="guide/set%20up/#one">One</a><a href="guide/set up/">.</a><a href="javascript:void(0)">.</a>',
    ),
    'public/guide/set up/index.html': html(
      '<base href="../../">',
      '<h1 id="x">X</h1><h2 id="one">1</h2><a href="guide/set%20up/#x">X</a><img alt="" src="assets/i.png"><a href="">Self</a>',
    ),
    'public/404.html': html('<link rel="stylesheet" href="/assets/main.css">', '<h1>404</h1>'),
    'public/assets/main.css':
      ':root{--icon:url(i.png)}@media print{a::after{content:" (" attr(href) ")"}}@namespace svg url(http://www.w3.org/2000/svg);',
    'public/assets/i.png': '',
    'public/assets/w.js': 'importScripts&&1',
    'public/search/search_index.json': '{"docs":[{"location":"","text":""},{"location":"guide/set up/#one"}]}',
    'README.txt': 'Unpack me.',
  },
  'pages that scripts draw': {
    'index.html': html(
      '<script type="module">import "./app.js"</script>',
      '<h1>API</h1><a href="#/pets/list">Pets</a><a href="#operation-12">Operation</a><a href="reference.html#schema">Schema</a><a href="#getting-started">Start</a><h2>Getting started</h2><div data-tab="operation-12"></div>',
    ),
    'reference.html': html(
      '<script src="app.js"></script>',
      '<redoc spec-url="spec.json"></redoc><noscript><img src="https://a.example/pixel.gif"></noscript><!--[if lt IE 9]><script src="https://a.example/shim.js"></script><![endif]-->',
    ),
    'app.js': 'export{}',
  },
}

/** As an editor packs an example into the address. */
const packed = 'PTAEBUAsFNQMwPYBskIO4EsB2BzUTtYATBaAZywHIAXUE0AQywE9rJs8AnaBlZgGlCcGbaJ1AZa1aCjIAoEKFERmAB2gBl'
generatorSites['links to examples that an editor unpacks, and files that nobody loads'] = {
  'index.html': html('', `<h1>Home</h1><a href="editor.html#${packed}">Try it</a><a href="#_">Sample</a>`),
  'editor.html': html('<script src="editor.js" defer></script>', '<h1>Editor</h1>'),
  'editor.js': 'open(location.hash.slice(1))',
  'theme/source.css':
    '@import "gone.css";@import url(https://fonts.example/css);@font-face{src:url("{{ file }}")}.a{background:url(gone.png)}',
  'manifest.json': '{"icons":[{"src":"/gone-36.png"},{"src":"/gone-48.png"}]}',
}
