import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>'
const docs = {
  name: 'Acme',
  theme: 'mint',
  colors: { primary: '#ffd400' },
  logo: { light: '/logo.svg', dark: '/logo.svg', href: 'https://acme.example/home' },
  appearance: { default: 'dark', strict: true },
  background: { color: { light: '#777777', dark: '#101010' }, decoration: 'grid', image: '/none.png' },
  fonts: {
    heading: { family: 'Sharp', source: '/sharp.woff2', weight: 700 },
    body: { family: 'Far', source: 'https://x.example/f.woff2' },
  },
  navbar: {
    links: [
      { label: 'Blog word', href: 'https://acme.example/blog' },
      { label: 'Gone word', href: '/gone' },
    ],
    primary: { type: 'button', label: 'Start word', href: '/guide/two' },
  },
  footer: {
    socials: { github: 'https://github.com/acme', obscure: 'https://obscure.example' },
    links: [{ header: 'Company', items: [{ label: 'About word', href: '/one' }] }],
  },
  banner: { content: 'New: **[guide word](/guide/two)** <script>alert(1)</script>', dismissible: true },
  errors: { '404': { title: 'Lost word', description: 'Nothing here word', redirect: true } },
  seo: { metatags: { 'og:image': '/logo.svg', referrer: 'unsafe-url', 'fb:app_id': 'app-word' } },
  search: { prompt: 'Ask word' },
  styling: { codeblocks: 'dark', eyebrows: 'section' },
  contextual: { options: ['copy', 'chatgpt'] },
  integrations: { ga4: { measurementId: 'G-1' } },
  interaction: { drilldown: true },
  ownWish: 1,
  navigation: {
    global: { anchors: [{ anchor: 'Status word', href: 'https://status.example' }] },
    versions: [
      { version: 'v1', pages: ['v1/start', 'v1/more'] },
      {
        version: 'v2',
        default: true,
        tabs: [
          {
            tab: 'Guide',
            groups: [{ group: 'Basics', tag: 'NEWTAG', pages: ['one', 'v2/start', 'v2/more', 'guide/two'] }],
          },
          { tab: 'Shop word', href: 'https://shop.example' },
        ],
      },
    ],
  },
}
const site = {
  'docs.json': JSON.stringify(docs),
  'logo.svg': svg,
  'sharp.woff2': 'font',
  'one.mdx':
    '---\ntitle: One\ntag: BETA\n"og:title": Own title\n---\n{/* secret remark */}\n\nText with [two](/guide/two) and `code`.\n\n```js\nlet a\n```\n',
  'guide/two.mdx':
    '---\ntitle: Two\nrss: true\ndescription: Says `code`, [one](/one) & more\n---\n<Update label="2024-10-11" description="v1">Feed text</Update>\n',
  'v1/start.mdx': '# Start 1\n',
  'v1/more.mdx': '# More 1\n',
  'v2/start.mdx': '# Start 2\n',
  'v2/more.mdx': '# More 2\n',
}

test('a page has its owner’s look and texts, and each setting that is not honoured is reported once', async () => {
  const { files, report } = await exportFiles(site)
  const page = files.get('guide/two.html')!
  expect(linkProblems(files)).toEqual([])
  for (const word of [
    'Blog word',
    'Start word',
    'About word',
    'Company',
    'Status word',
    'Shop word',
    'Ask word',
    'Obscure',
  ])
    expect(page).toContain(word)
  expect(page).toContain('href="https://acme.example/home"')
  expect(page).toMatch(/<html[^>]* data-theme="dark" data-fixed-theme data-code="dark" data-banner="/)
  expect(page).not.toContain('data-theme-toggle')
  expect(page).toContain('<p class="lead">Says <code>code</code>, <a href="../one.html">one</a> &#x26; more</p>')
  expect(page).toMatch(/class="banner".*New: <strong><a href="two.html">guide word<\/a><\/strong>/)
  expect(page).not.toMatch(/alert|unsafe-url/)
  expect(page).toContain('font-src &#39;self&#39; file:')
  expect(page).toContain('property="fb:app_id" content="app-word"')
  expect(page).toMatch(/One <span class="page-tag">BETA/)
  expect(page).toMatch(/Basics <span class="page-tag">NEWTAG/)
  const said = report.lines
    .filter(({ file }) => file === 'docs.json')
    .map(({ what }) => /[`/][\w./-]+/.exec(what)![0].slice(1))
  expect(said.toSorted()).toEqual(
    [
      'background.color.light',
      'background.image',
      'contextual.options',
      'fonts.body.source',
      'gone',
      'integrations.ga4',
      'interaction',
      'logo.svg',
      'ownWish',
      'theme',
    ].toSorted(),
  )
})

test('languages, icons and the banner type follow the settings, and ignored settings at any depth are reported', async () => {
  const { files, report } = await exportFiles({
    'docs.json': JSON.stringify({
      banner: { content: 'Take care', type: 'critical', color: { light: '#f00' } },
      navbar: {
        links: [{ label: 'Blog', href: 'https://b.example', icon: 'rocket' }],
        primary: { type: 'github', href: 'https://github.com/a/b' },
      },
      footer: { socials: { bluesky: 'https://bsky.example', x: 'https://x.example' } },
      logo: '/missing.svg',
      api: { playground: { display: 'none' }, examples: { languages: ['curl'] }, openapi: [] },
      seo: { indexing: 'navigable', paths: [] },
      navigation: {
        languages: [
          { language: 'en', pages: ['one', 'away'] },
          {
            language: 'jp',
            groups: [{ group: 'G', icon: 'house', directory: 'card', boost: 2, pages: ['japan/two'] }],
          },
        ],
      },
    }),
    'one.mdx': '---\nkeywords: ["x"]\nboost: 2\n---\n# One\n',
    'away.mdx': '---\ntitle: Away\nurl: https://away.example/a(b)\n---\n',
    'japan/two.mdx': '---\nkeywords: ["y"]\n---\n# Two\n',
  })
  const page = files.get('japan/two.html')!
  expect(page).toContain('<html lang="ja"')
  expect(files.get('one.html')).toContain('<html lang="en"')
  expect(page).toContain('class="banner danger"')
  expect(page).toMatch(/fa7-solid--rocket" aria-hidden="true"><\/span>Blog/)
  expect(page).toMatch(/<a class="bar-button"[^>]*><span class="icon ic-fa7-brands--github"[^>]*><\/span>a\/b/)
  expect(page).toMatch(/title="Bluesky"[^>]*><span class="icon ic-fa7-brands--bluesky"/)
  expect(files.get('_docket/icons.css')).toContain('.icon.ic-fa7-brands--bluesky{')
  expect(files.get('404.html')).toContain('icons')
  expect(files.get('one.html')).toContain('<a href="https://away.example/a%28b%29" class="leaves"')
  expect(files.get('away.html')).toContain(
    '<a href="https://away.example/a%28b%29" rel="noopener noreferrer">away.example',
  )
  expect(report.lines.map(({ what }) => /`[\w./-]+`|picture \S+/.exec(what)![0]).toSorted()).toEqual(
    [
      '`api.examples`',
      '`api.playground`',
      '`banner.color`',
      '`boost`',
      '`boost`',
      '`directory`',
      '`keywords`',
      '`seo.paths`',
      'picture /missing.svg',
    ].toSorted(),
  )
})

test('the version switch leads to the same page of another version and lists the default version first', async () => {
  const { files } = await exportFiles({
    ...site,
    'docs.json': JSON.stringify({
      navigation: {
        versions: [
          { version: 'v1', pages: ['v1/start', 'v1/more'] },
          { version: 'v2', default: true, pages: ['v2/start', 'v2/more', 'v2/fresh'] },
        ],
      },
    }),
    'v2/fresh.mdx': '# Fresh\n',
  })
  const links = (name: string) =>
    [.../<details class="switch">.*?<\/details>/s.exec(files.get(name)!)![0].matchAll(/href="([^"]*)"/g)].map(
      (match) => match[1],
    )
  expect(links('v2/more.html')).toEqual(['more.html', '../v1/more.html'])
  expect(links('v2/fresh.html')).toEqual(['fresh.html', '../v1/start.html'])
})

test('text is readable whatever the accent and background colours', async () => {
  const { files } = await exportFiles(site)
  const css = files.get('_docket/site.css')!
  // Yellow is darkened enough for white, and grey is refused, because text on it would not be readable.
  expect(css).toMatch(/--accent:light-dark\(#816b00,/)
  expect(css).not.toContain('#777777')
  expect(css).toContain('--surface:light-dark(#ffffff,#101010)')
})

test('copies for other programs hold the content of the page, and have absolute addresses only on a public domain', async () => {
  const { exportFolder } = await import('#testing/site.ts')
  const { writeFolder } = await import('@docket/sources/testing/files')
  const folder = await writeFolder(site)
  const { files } = await exportFolder(folder, 'docs.acme.dev')
  expect(files.get('one.md')).toBe('# One\n\nText with [two](guide/two.md) and `code`.\n\n```js\nlet a\n```\n')
  expect(files.get('llms.txt')).toContain('- [Two](https://docs.acme.dev/guide/two.md)')
  expect(files.get('guide/two/rss.xml')).toContain('<pubDate>Fri, 11 Oct 2024 00:00:00 GMT</pubDate>')
  expect(files.get('guide/two/rss.xml')).toContain('Feed text')
  expect(files.get('one.html')).toMatch(/og:image" content="https:\/\/docs\.acme\.dev\/media\/logo\./)
  expect(files.get('one.html')).toContain('og:title" content="Own title"')
  const local = await exportFolder(folder)
  expect(local.files.has('guide/two/rss.xml')).toBe(false)
  expect(local.report.lines.map(({ what }) => what)).toContain('its feed: feeds need a public domain')
})

test('the 404 page has its owner’s text, the navigation and the search', async () => {
  const { files } = await exportFiles(site)
  const page = files.get('404.html')!
  for (const word of [
    'Lost word',
    'Nothing here word',
    'data-leads-home',
    'data-search',
    'href="guide/two.html"',
    'BETA',
  ])
    expect(page).toContain(word)
})

test('a 404 page from the source works at any depth, and is written nowhere else', async () => {
  const { files } = await exportFiles({
    'index.md': '# Home\n\n[x](404.md)\n',
    '404.md': '# Lost own\n\n[Home word](index.md) ![p](p.png)\n',
    'p.png': 'png',
  })
  const page = files.get('404.html')!
  expect(page).toMatch(
    /<h1>Lost own<\/h1>\s*<div data-own>\s*<p><a href="index\.html">Home word<\/a> <img src="media\/p\./,
  )
  expect(page).not.toContain('<link rel="stylesheet"')
  expect(page).not.toMatch(/class="not-found-pages"[^]*404\.html/)
  expect(files.has('404.md')).toBe(false)
  expect(files.get('index.html')).not.toMatch(/<nav class="sidebar"[^]*404\.html[^]*<main/)
})

test('the brand and tabs of a mint.json are read from its old setting names', async () => {
  const { files, report } = await exportFiles({
    'mint.json': JSON.stringify({
      name: 'Old',
      colors: { primary: '#0a5' },
      topbarLinks: [{ name: 'Blog word', url: 'https://old.example/blog' }],
      topbarCtaButton: { type: 'github', url: 'https://github.com/old/repo' },
      anchors: [{ name: 'Community word', url: 'https://old.example/chat' }],
      tabs: [{ name: 'API tab', url: 'api' }],
      footerSocials: [{ type: 'x', url: 'https://x.com/old' }],
      modeToggle: { default: 'light', isHidden: true },
      navigation: [
        { group: 'Main', pages: ['one'] },
        { group: 'Calls', pages: ['api/two'] },
      ],
      feedback: { thumbsRating: true },
    }),
    'one.mdx': '# One\n',
    'api/two.mdx': '# Two\n',
  })
  const page = files.get('one.html')!
  for (const word of [
    'Blog word',
    'old/repo',
    'Community word',
    'API tab',
    'title="X"',
    'data-theme="light" data-fixed-theme',
  ])
    expect(page).toContain(word)
  expect(report.lines.map(({ what }) => what)).toEqual(['the setting `feedback`: files cannot take an answer'])
})

test('a VitePress site keeps its top bar, socials, footer and edit link', async () => {
  const { files, report } = await exportFiles({
    '.vitepress/config.ts': `export default { title: 'Vite site', appearance: 'dark', themeConfig: {
      logo: '/logo.svg', logoLink: 'https://home.example',
      nav: [{ text: 'Guide word', link: '/guide' }, { text: 'More word', items: [{ text: 'Inner word', link: 'https://in.example' }] }],
      socialLinks: [{ icon: 'github', link: 'https://github.com/v' }],
      editLink: { pattern: 'https://github.com/v/v/edit/main/docs/:path', text: 'Edit word' },
      footer: { message: 'Under <a href="/guide">terms</a>', copyright: 'By ' + me() }, lastUpdated: {} } }`,
    'public/logo.svg': svg,
    'index.md': '# Home\n',
    'guide.md': '# Guide\n',
  })
  const page = files.get('guide.html')!
  for (const word of [
    'Guide word',
    'More word',
    'Inner word',
    'title="GitHub"',
    'Edit word',
    'edit/main/docs/guide.md',
    'https://home.example',
    'Vite site</span>',
    'data-theme="dark"',
  ])
    expect(page).toContain(word)
  expect(page).toContain('<p>Under <a href="guide.html">terms</a></p>')
  expect(report.lines.map(({ what }) => what)).toEqual([
    'themeConfig.footer.copyright is the result of code, which is not run: a call of me()',
    'the setting `themeConfig.lastUpdated`: a copy does not know when a page was changed',
  ])
})
