import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import type { Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { expect, test } from 'vitest'
import { exportFiles, exportFolder, linkProblems } from '#testing/site.ts'

const dangers = [
  '<script>alert(1)</script>',
  '<p onclick="alert(1)">text</p>',
  '<img src="x.png" onerror="alert(1)">',
  '<a href="javascript:alert(1)">link</a>',
  '<a href=" java\nscript:alert(1)">link</a>',
  '<a href="&#106;avascript:alert(1)">link</a>',
  '[link](javascript:alert(1))',
  '[link](data:text/html,<script>alert(1)</script>)',
  '[link](vbscript:x)',
  '[link](file:///etc/passwd)',
  '<iframe src="https://evil.example/x"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="x.swf"></object><embed src="x.swf">',
  '<form action="https://evil.example"><button formaction="javascript:alert(1)">go</button></form>',
  '<svg onload="alert(1)"><script>alert(1)</script></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<p style="background:url(https://evil.example/x.png)">text</p>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '![pixel](https://evil.example/x.png)',
  '<img srcset="https://evil.example/x.png 2x" src="https://evil.example/y.png">',
  '<video poster="https://evil.example/x.png" src="https://evil.example/x.mp4"></video>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<table><td background="https://evil.example/x.png">x</table>',
  '<Card title="x" href="javascript:alert(1)">text</Card>',
  '<Card title="<img src=x onerror=alert(1)>" href="/">text</Card>',
  '::: tip "><script>alert(1)</script>\ntext\n:::',
  '# <img src=x onerror=alert(1)>',
]

const forbiddenTags = /^(iframe|object|embed|form|svg|math|style|base|template|noscript)$/
const forbiddenProperties = /^(on.*|style|srcSet|poster|background|action|formAction|httpEquiv|srcDoc|data)$/

/** Lists dangerous parts of a page, parsed as a browser parses it. */
const findDangers = (html: string) => {
  const found: string[] = []
  const root: Root = { type: 'root', children: [{ type: 'raw', value: html }] }
  visit(unified().use(rehypeRaw).runSync(root), 'element', ({ tagName, properties }) => {
    const { href, src, httpEquiv } = properties
    if (forbiddenTags.test(tagName)) found.push(`<${tagName}>`)
    if (tagName === 'script' && !/^(\.\.\/)*_docket\/[a-zA-Z-]+\.js$/.test(String(src))) found.push('a script')
    if (tagName === 'meta' && httpEquiv && !/^content-security-policy$/i.test(String(httpEquiv))) found.push('a meta')
    for (const name of Object.keys(properties)) {
      if (forbiddenProperties.test(name) && !(tagName === 'meta' && name === 'httpEquiv'))
        found.push(`${tagName} ${name}`)
    }
    if (src !== undefined && /^([a-z]+:|\/)/i.test(String(src))) found.push(`${tagName} loads ${String(src)}`)
    if (href !== undefined && /^(?!https?:|mailto:|tel:)[a-z]+:/i.test(String(href)))
      found.push(`${tagName} → ${String(href)}`)
  })
  return found
}

test.each(dangers)(
  'in Markdown and MDX, %j yields nothing that runs code, loads files or links to a dangerous address',
  async (danger) => {
    const { files } = await exportFiles({
      'index.md': `# Title\n\nBefore\n\n${danger}\n\nAfter\n`,
      'other.mdx': `# Title\n\nBefore\n\n${danger}\n\nAfter\n`,
    })
    for (const name of ['index.html', 'other.html']) {
      const html = files.get(name)!
      expect(findDangers(html)).toEqual([])
      expect(html).toContain('Before')
      expect(html).toContain('After')
    }
    expect(linkProblems(files)).toEqual([])
  },
)

test('MDX is never run: literals become text, and everything else is left out and reported', async () => {
  const { files, report } = await exportFiles({
    'index.mdx': `import fs from 'node:fs'
export const secret = fs.readFileSync('/etc/passwd', 'utf8')

# Title

{globalThis.ran = true} {secret} {"literal text"} {process.env.HOME}

<Card title={secret} href={\`/\${secret}\`} {...props}>content of the card</Card>

<Unknown><b>kept</b></Unknown>
`,
  })
  expect('ran' in globalThis).toBe(false)
  const html = files.get('index.html')!
  expect(html).toContain('literal text')
  expect(html).toContain('content of the card')
  expect(html).toContain('<b>kept</b>')
  expect(html).not.toMatch(/root:|secret/)
  // An undefined name stays as written.
  expect(html).toContain('{process.env.HOME}')
  expect(report.lines.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('an import'),
      expect.stringContaining('{secret}'),
      expect.stringContaining('<Unknown>'),
    ]),
  )
})

test('no file name or symlink makes an export read outside the source folder', async () => {
  const outside = await writeFolder({
    'secret.md': '# The secret\n',
    'secret.png': 'The secret',
    'deep/secret.md': '# The secret\n',
  })
  const inside = await writeFolder({
    'index.md': `# Home\n\n![a](../${outside.split('/').at(-1)}/secret.png) ![b](${outside}/secret.png) ![c](link.png) ![d](folder/secret.png) [e](%2e%2e/%2e%2e/etc/passwd)\n`,
    'snippet.mdx': 'import Secret from "./folder/secret.md"\n\n<Secret />\n',
    'other.mdx': `import Secret from "../${outside.split('/').at(-1)}/secret.md"\n\n<Secret />\n`,
    'third.mdx': 'import Secret from "./linked.md"\n\n<Secret />\n',
  })
  await symlink(join(outside, 'secret.md'), join(inside, 'linked.md'))
  await symlink(join(outside, 'secret.png'), join(inside, 'link.png'))
  await symlink(outside, join(inside, 'folder'))
  await symlink(inside, join(inside, 'circle'))
  const { files } = await exportFolder(inside)
  expect([...files].filter(([, content]) => content.includes('The secret'))).toEqual([])
  expect([...files.keys()].filter((name) => name.startsWith('media/'))).toEqual([])
})

test('an SVG is copied only if it contains no script and loads nothing', async () => {
  const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
  const names = ['script', 'handler', 'foreign', 'link', 'entity']
  const { files, report } = await exportFiles({
    'index.md': ['clean', ...names].map((name) => `![${name}](${name}.svg)`).join('\n\n'),
    'clean.svg': svg('<circle r="4"/>'),
    'script.svg': svg('<script>alert(1)</script>'),
    'handler.svg': svg('<circle onload="alert(1)"/>'),
    'foreign.svg': svg('<foreignObject><body/></foreignObject>'),
    'link.svg': svg('<image href="https://evil.example/x.png"/>'),
    'entity.svg': `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('&x;')}`,
  })
  expect([...files.keys()].filter((name) => /^media\/.*\.svg$/.test(name))).toEqual([
    expect.stringMatching(/^media\/clean\./),
  ])
  expect(report.counts['missing-file']).toBe(names.length)
})

test.each([
  ['custom tags', '---\ntitle: !!js/function "function(){}"\n---\n'],
  [
    'a bomb of aliases',
    `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`)
      .join('\n')}\n---\n`,
  ],
  ['no YAML at all', '---\n: : {{ [\n---\n'],
  ['a prototype', '---\n__proto__: { title: x }\nconstructor: y\n---\n'],
])('a page whose front matter has %s still shows its text', async (_, head) => {
  const { files } = await exportFiles({ 'index.md': `${head}\n# Fine\n\ntext\n` })
  expect(files.get('index.html')).toContain('<p>text</p>')
})

test('a huge page is left out and reported, a deeply nested one is shown as text, and the other pages are exported', async () => {
  const { files, report } = await exportFiles({
    'index.md': '# Home\n',
    'huge.md': '# Huge\n'.padEnd(10 * 1024 * 1024, 'word '),
    'deep.md': `# Deep\n\n${'> '.repeat(3_000)}end\n`,
    'divs.md': `# Divs\n\n${'<div>'.repeat(5_000)}end\n`,
    'lists.md': Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
  })
  expect([...files.keys()].filter((name) => name.endsWith('.html')).toSorted()).toEqual([
    '404.html',
    'deep.html',
    'divs.html',
    'index.html',
    'lists.html',
  ])
  expect(report.lines).toContainEqual(expect.objectContaining({ file: 'huge.md', kind: 'not-a-page' }))
  expect(report.lines).toContainEqual(expect.objectContaining({ page: 'deep', kind: 'not-understood' }))
})

test('pages whose names collide or cannot be encoded can be opened, and all links to them work', async () => {
  const names = [
    'a b.md',
    'a-b.md',
    'Über uns.md',
    '100%.md',
    'what?.md',
    'c#.md',
    '日本語.md',
    'x&y<z>.md',
    '-.md',
    "it's.md",
    'Case.md',
    'case.md',
  ]
  const home = names.map((name) => `- [${name.replaceAll('<', '\\<')}](<${encodeURIComponent(name)}>)`).join('\n')
  const { files, report } = await exportFiles({
    'index.md': `# Home\n\n${home}\n`,
    ...Object.fromEntries(names.map((name) => [name, `# ${name}\n`])),
  })
  expect(linkProblems(files)).toEqual([])
  expect(report.counts['broken-link']).toBeUndefined()
  const lower = [...files.keys()].map((name) => name.toLowerCase())
  expect(new Set(lower).size).toBe(lower.length)
  const pages = [...files.keys()].filter((name) => name.endsWith('.html') && name !== '404.html')
  expect(pages.length + report.lines.filter(({ kind }) => kind === 'not-a-page').length).toBe(names.length + 1)
})

test('an export continues past a file name that is not UTF-8', async () => {
  const folder = await writeFolder({ 'index.md': '# Home\n' })
  await writeFile(
    Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
    '# Bad\n',
  )
  const { files } = await exportFolder(folder)
  expect(files.has('index.html')).toBe(true)
})

test('a source folder that is a file is refused', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), 'x')
  await expect(exportFolder(join(folder, 'file'))).rejects.toThrow(/ENOTDIR/)
})
