import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const readArticle = (html: string | undefined) =>
  /<article>([\s\S]*)<\/article>/.exec(html ?? '')![1]!.replace(/>\s+</g, '><')

test('a VitePress page has its list of headings and its own ids, and shows only expressions that can be evaluated', async () => {
  const { files, report } = await exportFiles({
    '.vitepress/config.ts':
      "export default { title: 'Site', themeConfig: { sidebar: [{ text: 'Page', link: '/page' }] } }",
    'index.md':
      '# Home\n\n[class](/page#own) [list](/page#Vi-Fn) [gone](/page#gone) [box](/page#box) [out](https://example.com){target="_self"}\n',
    'page.md': `---
title: Told
---
# {{ $frontmatter.title }}

[[toc]]

## vi.fn <Badge text="new" />

Sum: {{ 1 + 1 }}, {{ Date.now() }}, {{ "quoted" }}, \`{{ code }}\`

{#own}

- item

### Deeper

### Weiter %{#further}%

::: warning Boxed {#box}
text
:::

\`\`\`
[[toc]] {{ kept }}
\`\`\`
`,
  })
  const page = files.get('page.html')!
  const article = readArticle(page)
  expect(article).toContain('<h1 id="told">Told</h1>')
  expect(article).toContain(
    '<ul><li><a href="#vi-fn">vi.fn new</a><ul><li><a href="#deeper">Deeper</a></li><li><a href="#further">Weiter</a></li></ul></li></ul>',
  )
  expect(article).toContain('Sum: 2, <span class="not-here">(computed on the original page)</span>, quoted,')
  expect(article).toContain('<code>{{ code }}</code>')
  expect(article).toContain('[[toc]] {{ kept }}')
  expect(article).toContain('<span id="own"></span>')
  expect(article).toContain('<div class="callout warning" role="note" id="box">')
  expect(files.get('index.html')).not.toContain('_self')
  expect(page).not.toMatch(/1 \+ 1|Date|frontmatter|\{#/)
  expect(linkProblems(files)).toEqual([])
  expect(report.lines.filter(({ kind }) => kind === 'broken-anchor').map(({ what }) => what)).toEqual(['page#gone'])
})

test('a link to a heading works in any case and punctuation, and leads to the top of the page if there is no such heading', async () => {
  const { files, report } = await exportFiles({
    'index.md': `# Home\n\n[a](page.md#Über-Uns) [b](page.md#what_s-new) [c](page.md#what's-new) [d](page.md#none) [e](#home) [f](page.md#%3Cb%3E) [g](page.md#sample) [h](page.md#inner)\n`,
    'page.md':
      '# Page\n\n## Über uns\n\n## What\'s new?\n\n<pre id="sample"><code>a</code></pre>\n\n<pre><code id="inner">b</code></pre>\n',
  })
  const hrefs = [...readArticle(files.get('index.html')).matchAll(/ href="([^"]*)"/g)].map(([, href]) => href)
  expect(hrefs).toEqual([
    'page.html#%C3%BCber-uns',
    'page.html#whats-new',
    'page.html#whats-new',
    'page.html',
    '#home',
    'page.html',
    'page.html#sample',
    'page.html#inner',
  ])
  expect(files.get('page.html')).toMatch(/<figure id="sample".*<figure id="inner"/s)
  expect(report.counts).toEqual({ 'broken-anchor': 2 })
})

test('the title appears once, whether front matter, a heading or both set it, even if they are written differently', async () => {
  const { files } = await exportFiles({
    'docs.json': '{ "name": "Site", "navigation": { "pages": ["index", "both", "apart", "none", "lower", "later"] } }',
    'index.mdx': '---\ntitle: Home page\n---\n\ntext\n',
    'both.mdx': '---\ntitle: "Both: here"\n---\n\n# Both -- here\n\ntext\n',
    'apart.mdx': '---\ntitle: Apart\n---\n\n# Another heading\n\ntext\n',
    'lower.mdx': '## Lower\n\ntext\n',
    'later.mdx': 'text\n\n## Later\n\ntext\n',
    'none.mdx': '# Only `heading`\n\ntext\n',
  })
  const headings = (name: string) =>
    [...readArticle(files.get(name)).matchAll(/<h([1-6])[^>]*>(.*?)<\/h/g)].map(([, level, text]) => `${level} ${text}`)
  expect(headings('index.html')).toEqual(['1 Home page'])
  expect(headings('both.html')).toEqual(['1 Both -- here'])
  expect(headings('apart.html')).toEqual(['1 Apart', '2 Another heading'])
  expect(headings('lower.html')).toEqual(['1 Lower'])
  expect(headings('later.html')).toEqual(['1 Later', '2 Later'])
  expect(headings('none.html')).toEqual(['1 Only heading'])
})

test('code-host alerts and indented admonitions become callouts, and definitions become a definition list', async () => {
  const { files } = await exportFiles({
    'index.md':
      '# Home\n\nTerm `a`\n: One.\n: Two.\n\nOther\n: Three.\n\n> [!WARNING]\n> Mind.\n\n> [!note] Titled\n\n> [!OTHER]\n> kept\n\n!!! danger "Hot"\n    Burns.\n',
  })
  const article = readArticle(files.get('index.html'))
  expect(article).toContain(
    '<div class="callout warning" role="note"><p class="callout-title">Warning</p><p>Mind.</p></div>',
  )
  expect(article).toContain(
    '<dl><dt>Term <code>a</code></dt><dd>One.</dd><dd>Two.</dd><dt>Other</dt><dd>Three.</dd></dl>',
  )
  expect(article).toContain('<p class="callout-title">Hot</p><p>Burns.</p>')
  expect(article).toContain('<p class="callout-title">Note</p><p>Titled</p>')
  expect(article).toContain('<blockquote><p>[!OTHER]')
})

test('every component of the docs platform shows its content and the values of its attributes', async () => {
  const { files, report } = await exportFiles({
    'docs.json':
      '{ "name": "Site", "navigation": { "pages": ["index"] }, "redirects": [{ "source": "/old/*", "destination": "/" }] }',
    'index.mdx': `---
title: Home
---

<CardGroup cols={2}>
  <Card title="A card" icon="x" href="/old/thing">in a card</Card>
  <Card title="Plain" img="/none.png" />
</CardGroup>
<Tabs><Tab title="First">in a tab</Tab><Tab title="Second">in another</Tab></Tabs>
<Steps>
  <Step title="Do">this</Step>
</Steps>
<AccordionGroup><Accordion title="Open me">in an accordion</Accordion></AccordionGroup>
<Expandable title="properties">in an expandable</Expandable>
<Check>checked</Check>
<Frame caption="Caption">framed</Frame>
<ParamField path="user.id" type="string" required deprecated default="me">a parameter</ParamField>
<ResponseField name="id" type="number">a response</ResponseField>
<CodeGroup>
\`\`\`js One.js
one()
\`\`\`
\`\`\`py Two
two()
\`\`\`
</CodeGroup>
<Update label="June" description="v2">an update</Update>

A <Tooltip tip="explained">word</Tooltip>, an <Icon icon="flag" /> icon, a <Badge color="red">badge</Badge>.

{globalThis.now()}
`,
  })
  const article = readArticle(files.get('index.html'))
  for (const part of [
    '<div class="cards cols-2">',
    '<a href="#docket-content">A card</a>',
    '<p class="card-title">Plain</p>',
    '<p class="tab-title">Second</p>in another',
    '<ol class="steps"><li id="do"><p class="step-title">Do</p>this',
    '<summary>Open me</summary><div>in an accordion</div>',
    '<summary>properties</summary><div>in an expandable</div>',
    '<p class="callout-title">Check</p>checked',
    '<figcaption>Caption</figcaption>',
    '<code>user.id</code><span>string</span><span>in path</span><span class="required">required</span><span class="deprecated">deprecated</span><span>default: me</span>',
    'id="param-user-id"',
    '<figcaption>One.js</figcaption>',
    '<p class="update-title">June</p><p class="update-text">v2</p></div><div class="update-body">an update',
    '<abbr title="explained" tabindex="0">word</abbr>, an <span class="icon ic-fa7-solid--flag" aria-hidden="true"></span> icon, a <span class="badge tone-danger">badge</span>.',
    '<p class="not-here">An interactive part of the original page is not in this copy.</p>',
  ])
    expect(article).toContain(part)
  expect(article).not.toMatch(/globalThis/)
  expect(linkProblems(files)).toEqual([])
  expect(report.lines.map(({ what }) => what)).toEqual([
    'an expression: {globalThis.now()}',
    '/none.png: there is no such file',
    'no file can have this old address',
  ])
})

test('code that is too long to be coloured is shown in full and reported', async () => {
  const code = 'const a = 1\n'.repeat(6_000)
  const { files, report } = await exportFiles({ 'index.md': `# Code\n\n\`\`\`js\n${code}\`\`\`\n` })
  expect(files.get('index.html')).toContain(`<code data-language="js">${code.trimEnd()}</code>`)
  expect(report.lines.map(({ kind, what }) => [kind, what])).toEqual([
    ['left-out', 'the colours of code with more than 60000 characters (1)'],
  ])
})
