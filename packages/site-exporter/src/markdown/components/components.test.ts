import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const render = async (body: string, front = '') => {
  const { files, report } = await exportFiles({
    'index.mdx': `---\ntitle: Home\n${front}---\n\n${body}\n`,
    'other.md': '# Other\n',
  })
  expect(linkProblems(files)).toEqual([])
  const html = files.get('index.html')!
  const article = /<article>([\s\S]*)<\/article>/.exec(html)![1]!.replace(/>\s+</g, '><')
  return { html, article, remarks: report.lines.map(({ what }) => what) }
}

test('Docusaurus and Starlight tabs keep their labels, their sync key and their default tab', async () => {
  const { article } = await render(`
<Tabs groupId="os">
<TabItem value="mac" label="macOS">mac body</TabItem>
<TabItem value="win" label="Windows" default>win body</TabItem>
</Tabs>

<Tabs syncKey="pkg"><TabItem label="npm">npm body</TabItem><TabItem label="pnpm">pnpm body</TabItem></Tabs>

<FrameworkTabs>
<Fragment slot="react">react body</Fragment>
<Fragment slot="vue">vue body</Fragment>
</FrameworkTabs>

<PackageManagers pkg="astro" dev />`)
  expect(article).toContain('<div class="tabs" data-sync="os"><div class="tab" data-value="mac" id="macos">')
  expect(article).toContain('data-value="win" data-default=""')
  expect(article).toContain('<div class="tabs" data-sync="pkg">')
  expect(article).toContain('<p class="tab-title">react</p>')
  expect(article).toMatch(/<figcaption>pnpm<\/figcaption>.*astro/)
  for (const body of ['mac', 'win', 'npm', 'pnpm', 'react', 'vue']) expect(article).toContain(`${body} body`)
})

test('if a component shares its name with an HTML element, the capitalised tag is the component and the lower-case one the element', async () => {
  const { article } = await render(
    'A <Link href="/other">link</Link>.\n\n<Aside type="caution">mind</Aside>\n\n<Code code="a = 1" lang="js" />\n\n<code>b</code>',
  )
  expect(article).toContain('<a href="other.html">link</a>')
  expect(article).toContain('<div class="callout warning" role="note"><p class="callout-title">Caution</p>mind')
  expect(article).toMatch(/<figure class="code"><pre tabindex="0"><code data-language="js">/)
  expect(article).toContain('<code>b</code>')
})

test('components inside unknown components are rendered', async () => {
  const { article, remarks } = await render(
    '<Own><Card title="Inside" href="/other"/></Own>\n\n<Own title="Titled" link="/other" />\n\nIn <Own text="a sentence" /> here.\n\n<Own />',
  )
  expect(article).toContain('<a href="other.html">Inside</a>')
  expect(article).toContain('<div class="card"><p class="card-title"><a href="other.html">Titled</a></p></div>')
  expect(article).toContain('<p>In a sentence here.</p>')
  expect(article.match(/is not in this copy/g)).toHaveLength(1)
  expect(remarks).toEqual(['<Own> (its content stays)'])
})

test('text attributes are rendered as inline Markdown, without HTML or block elements', async () => {
  const { article } = await render(
    `<Card title="2 * 3 * \`x\`" description="**bold** <img src=x onerror=alert(1)> [bad](javascript:alert(1)) [good](/other)" />`,
  )
  expect(article).toContain('2 * 3 * <code>x</code>')
  expect(article).toContain('<strong>bold</strong> &#x3C;img src=x onerror=alert(1)>')
  expect(article).toContain('<a href="other.html">good</a>')
  expect(article).not.toMatch(/<img|href="javascript/)
})

test('each attribute that has no effect in an export is reported once', async () => {
  const { remarks } = await render(
    '<Card title="a" glow />\n\n<Card title="b" glow />\n\n<p className="text-red-500 p-4">x</p>',
  )
  expect(remarks).toEqual(['glow of <Card>', 'the look of class names: text-red-500'])
})

test('elements in an attribute keep their links and drawings, even if the component has an href', async () => {
  const { article, remarks } = await render(`export const more = <a href="/other">linked more</a>

<Card title={<>Read <a href="/other">linked title</a></>} icon={<svg viewBox="0 0 9 9"><path d="M0 0h9" /></svg>} href="https://far.example">text</Card>

<Accordion title={more}>inside</Accordion>

<Own title={more} description={<em>soft</em>} href="https://own.example" />

<Tooltip tip={<b>strong tip</b>}>word</Tooltip>`)
  expect(article.match(/<a href="other.html">linked (title|more)<\/a>/g)).toHaveLength(3)
  expect(article).toContain('<a href="https://far.example"')
  expect(article).toMatch(/<div class="card"><svg[^>]*viewBox="0 0 9 9"/)
  expect(article).toContain('<em>soft</em>')
  expect(article).not.toContain('class="tabs"')
  expect(article).toContain('<b>strong tip</b>')
  expect(article).not.toMatch(/<a [^>]*>[^<]*<a /)
  expect(remarks).toEqual(['<Own> (its content stays)'])
})

test('setting an attribute to false switches its feature off, and unknown attributes are reported', async () => {
  const { article, remarks } = await render(`<Tabs sync={false}><Tab title="a">a</Tab><Tab title="b">b</Tab></Tabs>

<CodeGroup dropdown>
\`\`\`js one
1
\`\`\`
\`\`\`js two
2
\`\`\`
</CodeGroup>

<Card title="c" href="/other" arrow={false} cols={2} />

<ParamField query="on" default={false} />

<Steps titleSize="h3"><Step title="Sized" noAnchor>s</Step></Steps>

<Tree><Tree.Folder name="closed"><Tree.File name="marked" highlight /></Tree.Folder></Tree>

<Color variant="compact"><Color.Item name="ink" value={{ light: '#123456', dark: '#fff' }} /></Color>`)
  expect(article).toContain('<div class="tabs" data-sync="off">')
  expect(article).toContain('<div class="tabs" data-dropdown="">')
  expect(article).toContain('card no-arrow')
  expect(article).toContain('default: false')
  expect(article).toMatch(/<h3 class="step-title"[^>]*>/)
  expect(article).toContain('<details><summary>closed/</summary>')
  expect(article).toContain('<strong>marked</strong>')
  expect(article).toContain('fill="#123456"')
  expect(article).toContain('<code>light: #123456, dark: #fff</code>')
  expect(remarks.toSorted()).toEqual(['cols of <Card>', 'variant of <Color>'])
})

test('code blocks follow their wrap, line-number and shorten options, and copied code has no line numbers', async () => {
  const { article, remarks } = await render(`\`\`\`js wrap lines expandable icon="x" focus={2}
a
b
\`\`\`

<CodeBlock filename="own.ts" lines highlight="[1]">
let a
let b
</CodeBlock>`)
  expect(article).toContain('<figure class="code wrap lines expandable">')
  expect(article).toMatch(
    /<span class="line-number"><\/span>[\s\S]*<span class="line focused"><span class="line-number">/,
  )
  expect(article).toMatch(/<figure class="code lines"><figcaption>own.ts<\/figcaption>.*<span class="line marked">/)
  expect(remarks).toEqual(['the icons of code blocks'])
})

test('only listed utility classes are exported with their styles, and none can hide content for good or cover the page frame', async () => {
  const { html, article } = await render(
    '<div className="grid md:grid-cols-2 gap-4 fixed inset-0 z-50 -mt-96 u-flex">\n\n<p className="hidden">kept</p>\n\n<p className="hidden md:block">wide</p>\n\n</div>',
  )
  expect(article).toContain('<div class="u-grid u-md-grid-cols-2 u-gap-4">')
  expect(article).toContain('<p>kept</p>')
  expect(article).toContain('<p class="u-hidden u-md-block">wide</p>')
  expect(html).toContain('_docket/utilities.css')
  expect((await render('text')).html).not.toContain('utilities.css')
})

test('a page takes its layout from the front matter field `mode`, and ignores an invalid one', async () => {
  expect((await render('text', 'mode: custom\n')).html).toContain('<div class="columns mode-custom">')
  expect((await render('text', 'mode: "x y"\n')).html).toContain('<div class="columns">')
})

test('an inline SVG keeps its shapes and loses everything that runs, loads or links outside', async () => {
  const { article, remarks } = await render(`<svg viewBox="0 0 9 9" onLoad={go} style={{ color: 'red' }}>
<defs><linearGradient id="g"><stop offset="0" stopColor="red" /></linearGradient></defs>
<script>alert(1)</script><foreignObject><p>html</p></foreignObject><style>{'@import "https://evil.example"'}</style>
<image href="https://evil.example/a.png" /><use href="https://evil.example/b.svg#c" /><use href="#g" />
<a href="javascript:alert(1)"><path d="M0 0h9" /></a><animate attributeName="href" to="javascript:alert(1)" />
<rect width="9" height="9" fill="url(#g)" stroke="url(https://evil.example/d)" strokeWidth="2" />
</svg>

<svg><use href="sprite.svg#icon" /></svg>`)
  const [drawing] = /<svg[\s\S]*?<\/svg>/.exec(article)!
  expect(drawing).toContain('<svg viewBox="0 0 9 9" width="9" height="9">')
  expect(drawing).toContain(
    '<linearGradient id="drawing-1-g"><stop offset="0" stop-color="red"></stop></linearGradient>',
  )
  expect(drawing).toContain('<rect width="9" height="9" fill="url(#drawing-1-g)" stroke-width="2"></rect>')
  expect(article).not.toMatch(/evil|script|foreignObject|onload|style=|<image|animate|html/i)
  expect(article.match(/<svg/g)).toHaveLength(1)
  expect(remarks).toContain('<svg>')
})

test('list items become steps, a file list becomes a tree, and the text between steps is kept', async () => {
  const { article } = await render(`<Steps>

1. one
2. two

</Steps>

<Steps>between<Step title="First">a</Step></Steps>

<FileTree>

- src/
  - **main.ts** starts here
- readme.md

</FileTree>`)
  expect(article).toContain('<ol class="steps"><li>one</li><li>two</li></ol>')
  expect(article).toContain('<li class="no-step">between</li>')
  expect(article).toMatch(
    /<li class="folder"><details open><summary>src\/\s*<\/summary><ul><li class="file"><strong>main.ts<\/strong> starts here/,
  )
})

test("in Vue's documentation, the blocks of the two API styles keep their classes, and badges keep their text", async () => {
  const { files } = await exportFiles({
    '.vitepress/config.ts': 'export default {}',
    'index.md':
      '# Home\n\n<div class="options-api">\n\nold\n\n</div>\n\n<div class="composition-api">\n\nnew\n\n</div>\n\n## Macro <sup class="vt-badge" data-text="3.4+" />\n\n<Link href="/index">home</Link>\n',
  })
  const html = files.get('index.html')!
  expect(html).toContain('<div class="api-style options-api">')
  expect(html).toContain('<div class="api-style composition-api">')
  expect(html).toContain('<sup>3.4+</sup>')
  expect(html).toMatch(/<a href="[^"]*">home<\/a>/)
})
