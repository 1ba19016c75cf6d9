import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const project = {
  '.vitepress/shared.ts': `if (process.env.DEPLOY) { console.log('deploy') }
    export const shared = { themeConfig: { socialLinks: [{ icon: 'mastodon', link: 'https://m.example/@v' }] } }`,
  '.vitepress/config.ts': `import { version } from 'elsewhere'
    import { shared } from './shared'
    export default {
      ...shared,
      title: 'Vite site',
      locales: {
        root: { label: 'English', themeConfig: {
          nav: [
            { text: 'Guide', link: '/guide/one', activeMatch: '/guide/' },
            { text: 'Config', link: '/config/' },
            { text: version, items: [{ text: 'Changes word', link: 'https://changes.example' }] },
          ],
          sidebar: {
            '/guide/': [
              { text: 'Basics', items: [{ text: 'One', link: '/guide/one' }, { text: 'Far word', link: 'https://far.example' }] },
              { text: 'Folded', collapsed: true, items: [{ text: 'Deep word', link: '/guide/deep' }, { text: 'Deeper', link: '/guide/deeper' }] },
            ],
            '/config/': [{ text: 'Settings', link: '/config/' }],
          },
        } },
        zh: { label: 'Chinese', lang: 'zh', themeConfig: {
          nav: [{ text: 'Zh guide', link: 'zh/guide/one' }],
          docFooter: { next: 'Zh next' },
          sidebar: { '/zh/guide/': [{ text: 'Zh one', link: '/zh/guide/one' }, { text: 'Zh two', link: '/zh/guide/two' }] },
        } },
      },
    }`,
  '.vitepress/theme/index.ts': `import './styles/all.css'\nimport Theme from 'vitepress/theme'\nexport default Theme\n`,
  '.vitepress/theme/styles/all.css': `@import './own.css';\n`,
  '.vitepress/theme/styles/own.css':
    ':root { --vp-c-brand-1: #006600; } .dark { --vp-c-brand-1: var(--vp-c-green-1); }',
  'index.md': `---
layout: home
hero:
  name: Vite site
  text: Big words
  image: { light: /a.svg, dark: /b.svg }
  actions: [{ theme: brand, text: Go, link: /guide/one }, { theme: alt, text: Later, link: /config/ }, { link: /guide/deep }, { text: Soon word }]
features:
  - { icon: <i class="fas fa-rocket"></i>, title: Glyph word }
  - { icon: <span class="rocket"></span>, title: Unknown word }
  - { icon: <img src="/a.svg">, title: Picture word }
  - { icon: 🚀, title: Fast word, details: 'Details <b>word</b>', link: /guide/one, linkText: Read on }
---
`,
  'zh/index.md': '---\nlayout: home\nhero: { name: Zh site }\n---\n',
  'guide/one.md': '---\ndescription: Only for search engines\n---\n# One\n\n::: details Box {open}\nInside\n:::\n',
  'guide/deep.md': '# Deep\n',
  'guide/deeper.md': '# Deeper\n',
  'config/index.md': '---\naside: false\n---\n# Settings\n',
  'zh/guide/one.md': '# Zh one\n',
  'zh/guide/two.md': '# Zh two\n',
  'public/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'public/b.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>',
}

test('a VitePress site keeps its top-bar sections, sidebars and colours in each language', async () => {
  const { files, report } = await exportFiles(project)
  expect(report.lines.map(({ what }) => what)).toContain(
    'the theme in `.vitepress/theme/index.ts`: only its brand colours are read',
  )
  expect(linkProblems(files)).toEqual([])
  const page = files.get('guide/one.html')!
  expect(page).not.toContain('class="tab-row"')
  expect(page).toContain('<title>One | Vite site</title>')
  expect(page).toContain('<a href="one.html" aria-current="true">Guide</a>')
  expect(page).toContain('ic-fa7-brands--mastodon')
  expect(page).toMatch(/<summary>More<\/summary>.*Changes word/)
  expect(page).toContain('<a class="leaves" href="https://far.example" rel="noopener noreferrer">Far word</a>')
  expect(page).toMatch(/<li class="closed"><a href="deep.html">Folded</)
  expect(page).not.toMatch(/Settings|class="lead"/)
  expect(page).toMatch(/<details[^>]* open/)
  expect(files.get('config/index.html')).toContain('class="columns mode-wide"')
  const chinese = files.get('zh/guide/one.html')!
  expect(chinese).toContain('aria-current="true">Zh guide</a>')
  expect(chinese).toContain('<span>Zh next</span>')
  expect(chinese).not.toContain('Changes word')
  expect(files.get('_docket/site.css')).toContain('--accent:light-dark(#006600,#3dd68c)')
})

test('the home page of a VitePress site shows its hero, its features and its pictures for light and dark pages', async () => {
  const { files, report } = await exportFiles(project)
  const home = files.get('index.html')!
  expect(home).toContain('class="columns mode-home"')
  expect(home).toMatch(/hero-actions">.*href="guide\/deep.html">\/guide\/deep<.*Soon word/s)
  expect(home).toMatch(/ic-fa7-solid--rocket.*Glyph word.*card-title">Unknown word.*Picture word.*?<img.*Fast word/s)
  expect(report.lines.map(({ what }) => what)).toContain('the icon “rocket (HTML)”: no kept set has it')
  expect(home).toMatch(
    /hero-name">Vite site<.*hero-text">Big words<.*link-button primary.*>Go<.*link-button secondary.*>Later</s,
  )
  expect(home).toMatch(/hero-image"><img[^>]*class="on-light"[^>]*><img[^>]*class="on-dark"/)
  expect(home).toMatch(/class="card">.*icon-emoji.*🚀.*Fast word.*Details word.*Read on/s)
  // On a home page, the language switch leads to the other home page.
  expect(home).toMatch(/<details class="switch">.*href="zh\/index.html">Chinese</)
})
