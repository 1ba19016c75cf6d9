import { expect, onTestFinished, test, vi } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const docs = JSON.stringify({ name: 'Test', navigation: { pages: ['index', 'other'] } })

const page = (html: string) => html.slice(html.indexOf('<article>'), html.indexOf('</article>'))
const fonts = (files: ReadonlyMap<string, string>) => [...files.keys()].filter((name) => name.endsWith('.woff2'))

test('formulas in MDX are drawn with the fonts they use, and their braces are not evaluated as expressions', async () => {
  const { files, report } = await exportFiles({
    'docs.json': docs,
    'index.mdx':
      'A $\\frac{1}{3}$ b.\n\n$$ \\text{Point} = x_{i} $$\n\n$$\n\\mathbb{R}\n$$\n\n- $$y$$ z\n\n```math\nq\n```\n',
    'other.mdx': 'It costs $5.\n',
  })
  const html = files.get('index.html')!
  expect(page(html).match(/<math xmlns/g)).toHaveLength(5)
  expect(page(html).match(/katex-display/g)).toHaveLength(4)
  expect(page(html)).toContain('<annotation encoding="application/x-tex">\\frac{1}{3}</annotation>')
  expect(html).toMatch(/style-src &#39;self&#39; file: &#39;unsafe-inline&#39;;/)
  expect(html).toMatch(/font-src &#39;self&#39; file:;/)
  expect(html).toMatch(/script-src &#39;self&#39; file:;/)
  expect(report.counts).toEqual({})
  expect(fonts(files)).toContain('_docket/fonts/KaTeX_AMS-Regular.woff2')
  expect(fonts(files)).not.toContain('_docket/fonts/KaTeX_Fraktur-Regular.woff2')
  const named = [...files.get('_docket/katex.css')!.matchAll(/url\(([^)]*)\)/g)].map(([, name]) => `_docket/${name}`)
  expect(named.toSorted()).toEqual(fonts(files).toSorted())
  expect(linkProblems(files)).toEqual([])
  expect(files.get('other.html')).not.toMatch(/katex|unsafe-inline|font-src/)
})

test.each([
  'It costs $5 and $10, from $3 (was $4), US$7 or 8$ a month.',
  '$HOME/bin and $PATH, `$x$`, ${a}/${b}, \\$x\\$',
  'a $ b $ c, $x$y, x$y$',
  '$$\nno end',
  '[a $5](x.md) and [b $6](y.md)',
])('dollar signs in prose are not read as formulas: %s', async (text) => {
  const { files, report } = await exportFiles({ 'index.md': `# A\n\n${text}\n` })
  expect(page(files.get('index.html')!)).not.toContain('katex')
  expect(page(files.get('index.html')!).match(/\$/g)).toHaveLength(text.match(/\$/g)!.length)
  expect(report.lines.filter(({ what }) => what.includes('formula'))).toEqual([])
})

test('a formula with letters whose size KaTeX doesn’t know is drawn, and nothing is printed', async () => {
  const warn = vi.spyOn(console, 'warn')
  onTestFinished(() => warn.mockRestore())
  const { files, report } = await exportFiles({ 'index.md': '# A\n\n$\\text{نص} + ن$ and $x$\n' })
  expect(page(files.get('index.html')!).match(/<math xmlns/g)).toHaveLength(2)
  expect(warn.mock.calls).toEqual([])
  expect(report.lines).toEqual([])
})

test('a formula with a mistake or a forbidden command stays TeX and is reported', async () => {
  const { files, report } = await exportFiles({
    'index.md':
      '# A\n\n$\\frac{1}{$ $\\href{javascript:alert(1)}{x}$ $\\htmlStyle{position:fixed}{x}$ $\\def\\a{\\a\\a}\\a$\n',
  })
  expect(page(files.get('index.html')!)).not.toMatch(/<a |style=|katex/)
  expect(page(files.get('index.html')!).match(/<code/g)).toHaveLength(4)
  expect(report.counts).toEqual({ 'left-out': 4 })
})

test('formulas are drawn only if the documentation tool reads them, and MkDocs also reads those in brackets', async () => {
  const drawn = async (files: Record<string, string>) =>
    page((await exportFiles(files)).files.get('index.html')!).match(/<math/g)?.length ?? 0
  const config = (markdown: string) => ({ '.vitepress/config.ts': `export default { ${markdown} }` })
  expect(await drawn({ ...config(''), 'index.md': '$x$' })).toBe(0)
  expect(await drawn({ ...config('markdown: { math: true }'), 'index.md': '$x$와 5$ 或$y$。' })).toBe(2)
  const mkdocs = { 'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.arithmatex:\n' }
  expect(await drawn({ ...mkdocs, 'docs/index.md': 'a\\(x\\)b `\\(no\\)`\n\n\\[ y \\]\n\n\\[\nz\n\\]\n' })).toBe(3)
  const docsJson = JSON.stringify({ name: 'T', styling: { latex: false }, navigation: { pages: ['index'] } })
  expect(await drawn({ 'docs.json': docsJson, 'index.mdx': '$x$' })).toBe(0)
})

test('only pages with diagrams load the diagram script, and without scripts a diagram is shown as text', async () => {
  const { files, report } = await exportFiles({
    'docs.json': docs,
    'index.mdx':
      '```mermaid\n%%{init: {}}%%\nflowchart LR\n  A["<b>x</b>"] --> B\n```\n\n```mermaid\nmindmap\n  a\n```\n',
    'other.mdx': '`<figure class="diagram">` <span class="katex">a</span>\n',
  })
  const html = files.get('index.html')!
  expect(html).toMatch(/<script defer src="_docket\/mermaid.js"><\/script>\n<script defer src="_docket\/diagrams.js">/)
  expect(html).toMatch(/script-src &#39;self&#39; file:; style-src &#39;self&#39; file: &#39;unsafe-inline&#39;/)
  expect(page(html)).toMatch(
    /<figure class="diagram">.*<pre tabindex="0">%%\{init: \{\}\}%%\nflowchart LR\n {2}A\["&#x3C;b>/,
  )
  expect(page(html).match(/class="diagram"/g)).toHaveLength(1)
  expect(report.lines.filter(({ page }) => page === 'index').map(({ what }) => what)).toEqual([
    'the drawing of a diagram, which stays text: mindmap',
  ])
  expect(files.get('_docket/mermaid.js')).toMatch(/globalThis\["mermaid"\]/)
  expect(files.get('other.html')).not.toMatch(/mermaid|unsafe-inline|katex\.css/)
  expect(linkProblems(files)).toEqual([])
})
