import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'
import { titleCodeBlocks } from '#readers/read-dialect.ts'

const project = {
  'astro.config.mjs': `export default { integrations: [starlight({
    title: 'Guide',
    titleDelimiter: '–',
    logo: { src: './src/logo.svg', replacesTitle: true },
    social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/acme' }, { icon: 'x.com', label: 'X', href: 'https://x.com/acme' }],
    editLink: { baseUrl: 'https://github.com/acme/docs/edit/main/' },
    customCss: ['./src/own.css'],
    components: { Head: './src/Head.astro' },
    sidebar: [
      { label: 'Start', badge: 'NEWGROUP', items: ['intro', { slug: 'more', badge: { text: 'NEWPAGE', variant: 'tip' } }] },
      { label: 'Status word', link: 'https://status.example/' },
      { label: 'Folded', collapsed: true, items: ['folded/one', 'folded/two'] },
    ],
  })] }`,
  'src/own.css': `:root { --sl-color-accent: #00aa00; --sl-color-accent-high: #bbffbb; } :root[data-theme='light'] { --sl-color-accent: #006600; }`,
  'src/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'src/content/docs/index.mdx': `---
title: Welcome
description: Description word
template: splash
banner:
  content: 'Banner <a href="/intro/">link word</a>'
hero:
  title: Big words
  tagline: Small words
  image: { file: ../../logo.svg, alt: Picture word }
  actions:
    - { text: Go, link: /intro/ }
    - { text: Away, link: 'https://example.com/', variant: minimal }
---
`,
  'src/content/docs/intro.md': '---\ntitle: Intro\ndescription: Only for search engines\n---\n',
  'src/content/docs/more.md': '---\ntitle: More\nsidebar: { badge: BADGEWORD }\n---\n',
  'src/content/docs/folded/one.md': '---\ntitle: Folded one\n---\n',
  'src/content/docs/folded/two.md': '---\ntitle: Folded two\n---\n',
}

test('a Starlight site keeps its owner’s colours, links and badges, and other settings are reported', async () => {
  const { files, report } = await exportFiles(project)
  const page = files.get('intro.html')!
  expect(linkProblems(files)).toEqual([])
  expect(page).toContain('<title>Intro – Guide</title>')
  expect(page).toMatch(/title="GitHub".*ic-fa7-brands--github.*title="X".*ic-fa7-brands--x-twitter/)
  expect(page).toContain('href="https://github.com/acme/docs/edit/main/src/content/docs/intro.md"')
  expect(page).toContain('<a class="leaves" href="https://status.example/"')
  for (const word of ['NEWGROUP', 'NEWPAGE', 'BADGEWORD']) expect(page).toContain(`<span class="page-tag">${word}`)
  expect(page).not.toContain('<p class="lead">')
  expect(page).not.toContain('Folded two')
  // Rules without a theme apply to dark pages.
  expect(files.get('_docket/site.css')).toContain('--accent:light-dark(#006600,#bbffbb)')
  const said = report.lines.map(({ what }) => /^the setting `([^`]+)`/.exec(what)?.[1])
  expect(said).toEqual(expect.arrayContaining(['components', 'customCss']))
})

test('a home page shows its hero, has no sidebar and is not listed among the other pages', async () => {
  const { files } = await exportFiles(project)
  const home = files.get('index.html')!
  expect(home).toContain('class="columns mode-home"')
  expect(home).toMatch(
    /class="hero".*Big words.*Small words.*class="link-button primary" href="intro.html">Go<.*secondary/s,
  )
  expect(home).toMatch(/class="hero-image"><img[^>]*alt="Picture word"/)
  expect(home).toMatch(/class="callout note".*link word/s)
  expect(files.get('intro.html')).toMatch(/class="brand" href="index.html"/)
  expect(files.get('intro.html')!.match(/href="index.html"/g)).toHaveLength(1)
  expect(files.get('intro.html')).not.toContain('<span>Previous</span>')
})

test('a first-line comment with a file name becomes the title of its code block, and other comments are kept', () => {
  const titled = titleCodeBlocks('```js {2}\n// src/[id]/page.config.mjs\n\nlet a\n```\n')
  expect(titled).toBe('```js {2} title="src/[id]/page.config.mjs"\nlet a\n```\n')
  for (const code of [
    '```sh\n# setup.sh\n```',
    '```js\n// Not a file.\n```',
    '```js title="a.js"\n// b.js\n```',
    '```js\nlet a\n// b.js\n```',
    '// b.js',
    '````md\n```js\n// b.js\n```\n````',
  ])
    expect(titleCodeBlocks(code)).toBe(code)
})
