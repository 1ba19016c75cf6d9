import fc from 'fast-check'
import { openSourceFolder } from '@docket/sources/source-folder'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'
import { readSite } from './read-site.ts'

const projects: Readonly<Record<string, { file: string; text: string; pages: Readonly<Record<string, string>> }>> = {
  VitePress: {
    file: '.vitepress/config.ts',
    text: `import { nav } from './nav'\nexport default {\n  title: 'Known name',\n  themeConfig: { nav },\n}\n`,
    pages: { 'index.md': '# Start', '.vitepress/nav.ts': 'export const nav = []' },
  },
  Docusaurus: {
    file: 'docusaurus.config.js',
    text: `module.exports = {\n  title: 'Known name',\n  presets: [['classic', {}]],\n}\n`,
    pages: { 'docs/a.md': '# A' },
  },
  Starlight: {
    file: 'astro.config.mjs',
    text: `import starlight from '@astrojs/starlight'\nexport default {\n  integrations: [starlight({ title: 'Known name' })],\n}\n`,
    pages: { 'src/content/docs/index.md': '# Start' },
  },
  MkDocs: {
    file: 'mkdocs.yml',
    text: 'site_name: Known name\nnav:\n  - Start: index.md\ntheme: material\n',
    pages: { 'docs/index.md': '# Start' },
  },
  mdBook: {
    file: 'book.toml',
    text: '[book]\ntitle = "Known name"\nsrc = "src"\n',
    pages: { 'src/SUMMARY.md': '# Summary\n\n- [A](a.md)\n', 'src/a.md': '# A' },
  },
  'docs.json': {
    file: 'docs.json',
    text: '{\n  "name": "Known name",\n  "navigation": { "pages": ["index"] }\n}\n',
    pages: { 'index.mdx': '# Start' },
  },
}

test.each(Object.entries(projects))(
  'a configuration of %s with any mistake is read, or the report says why not',
  async (_, { file, text, pages }) => {
    const readWith = async (content: string) =>
      readSite(await openSourceFolder(await writeFolder({ ...pages, [file]: content })), 'Fallback')
    expect((await readWith(text)).name).toBe('Known name')
    const mistake = fc.record({
      at: fc.nat(text.length),
      removed: fc.nat(12),
      added: fc.constantFrom(
        '',
        '{',
        '}',
        '"',
        "'",
        ':',
        ': :',
        '\n',
        '\t',
        ',',
        '[',
        '@',
        '\0',
        '\uFFFD',
        'process.env.X',
      ),
    })
    await fc.assert(
      fc.asyncProperty(mistake, async ({ at, removed, added }) => {
        const { name, leftOut, brand } = await readWith(text.slice(0, at) + added + text.slice(at + removed))
        const value = text.indexOf('Known name')
        // Another key, or another value, is another setting.
        const isAnother = at <= value + 'Known name'.length && at + removed >= text.lastIndexOf('\n', value)
        const isLost = ['Fallback', 'Start', 'A'].includes(name) && !isAnother && brand.leftOut.length === 0
        if (isLost) expect(leftOut.map((line) => line.file)).toContain(file)
      }),
      { numRuns: 60 },
    )
  },
)

test('each file of settings that cannot be read has one line with its reason and place', async () => {
  const lines = async (files: Readonly<Record<string, string>>) =>
    (await exportFiles(files)).report.lines
      .filter(({ kind }) => kind === 'not-understood')
      .map(({ file, what }) => `${file}: ${what}`)
  const docusaurus = projects['Docusaurus']!
  expect(
    await lines({
      ...docusaurus.pages,
      [docusaurus.file]: docusaurus.text,
      'docs/a/_category_.json': '{ "label": "A",, }',
      'docs/a/b.md': 'B',
      'sidebars.js': 'module.exports = {\n  docs: [\n',
      'versions.json': '[',
    }),
  ).toEqual([
    'docs/a/_category_.json: the configuration could not be read whole: Property name expected, line 1',
    'sidebars.js: the configuration could not be read: Unexpected token, line 3',
    'versions.json: the configuration could not be read whole: Close bracket expected, line 1',
  ])
  expect(await lines({ 'docs.json': '{\n "name": "x",\n "colors": tru\n}', 'a.md': '# A' })).toEqual([
    'docs.json: the configuration could not be read whole: Invalid symbol, line 3',
  ])
  expect(
    await lines({
      'docs.json': '{ "name": "x",\n "navigation": { "$ref": "nav.json" } }',
      'nav.json': '{"pages": [\n]',
      'a.md': '',
    }),
  ).toEqual([
    'docs.json: it has no navigation that can be read',
    'nav.json: the configuration could not be read whole: Close brace expected, line 2',
  ])
  expect(
    await lines({ 'mkdocs.yml': 'site_name: A\nnav:\n  - A: a.md\n - B: b.md\ntheme: x\n', 'docs/a.md': 'A' }),
  ).toEqual([expect.stringMatching(/^mkdocs\.yml: the configuration could not be read whole: .+, line 4$/)])
})

test('JSON with comments, trailing commas or a mistake keeps what can be read, and a mistake has its place', async () => {
  const start =
    '// Ours\n{ "name": "x", /* y */ "navigation": { "groups": [{ "group": 1.10, "pages": ["b", "a",], },] }'
  const files = { 'a.md': '# A', 'b.md': '# B' }
  const read = async (docs: string) => {
    const folder = await openSourceFolder(await writeFolder({ ...files, 'docs.json': docs }))
    const { nav, leftOut } = await readSite(folder, 'x')
    return [nav, leftOut.map(({ file, reason }) => `${file}: ${reason}`)]
  }
  const pages = ['b', 'a'].map((path) => ({ kind: 'page', path }))
  const nav = [{ kind: 'group', title: '1.10', isTab: false, children: pages }]
  expect(await read(`${start},\n}`)).toEqual([nav, []])
  for (const [end, reason] of [
    ['\n"favicon": "x" }', 'Comma expected, line 3'],
    [', "favicon": x }', 'Invalid symbol, line 2'],
    ['', 'Close brace expected, line 2'],
  ] as const)
    expect(await read(start + end)).toEqual([nav, [`docs.json: the configuration could not be read whole: ${reason}`]])
})

test('a spread of a configuration that is not known has a line with its place', async () => {
  const config = (parts: string) => `import { shared } from 'theme'\nexport default { title: 'T', ${parts} }`
  const lines = async (parts: string) =>
    (await exportFiles({ '.vitepress/config.js': config(parts), 'index.md': '# A' })).report.lines.map(
      ({ what }) => what,
    )
  const code = 'is the result of code, which is not run: the name shared'
  expect(await lines('...shared')).toEqual([`a part of the configuration ${code}`])
  expect(await lines('themeConfig: { sidebar: [...shared, { text: "A", link: "/" }] }')).toEqual([
    `a part of themeConfig.sidebar ${code}`,
  ])
  expect(await lines('themeConfig: { ...shared, ...{ nav: [] }, ...undefined }')).toEqual([
    `a part of themeConfig ${code}`,
  ])
})

test('pages in UTF-16 and Windows-1252 show their letters, and other bytes that are not UTF-8 have a remark', async () => {
  const utf16 = (text: string, isBig = false) => {
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }
  const { files, report } = await exportFiles({
    'le.md': utf16('---\ntitle: Größe 中\n---\nText ü\n'),
    'be.md': utf16('# Größe', true),
    'western.md': Buffer.from('# One\n\nCaf\xe9 \x93quoted\x94\n', 'latin1'),
    'mixed.md': Buffer.concat([Buffer.from('# Größe\n\n'), Buffer.from('Caf\xe9\n', 'latin1')]),
    'foreign.md': Buffer.from('# One\n\n\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\n', 'latin1'),
    'part.md': '--8<-- "x"\n<<< ./code.txt\n',
    'code.txt': Buffer.from('na\xefve', 'latin1'),
    'docs.json': utf16(
      '{ "name": "Größe", "navigation": { "pages": ["le", "be", "western", "mixed", "foreign", "part"] } }',
    ),
  })
  expect(files.get('le.html')).toContain('Text ü')
  expect(files.get('le.html')).toMatch(/<title>Größe 中[^<]*Größe<\/title>/)
  expect(files.get('be.html')).toContain('Größe')
  expect(files.get('western.html')).toContain('Café “quoted”')
  expect(files.get('mixed.html')).toMatch(/Größe[^]*Café/)
  expect(files.get('part.html')).toContain('naïve')
  const remarks = report.lines.filter(({ what }) => what.includes('UTF-8')).map(({ file, what }) => `${file}: ${what}`)
  expect(remarks.toSorted()).toEqual([
    'foreign.md: line 3 is not UTF-8: letters are lost',
    'mixed.md: line 3 is not UTF-8: its letters are read as Windows-1252',
    'part.md: code.txt: line 1 is not UTF-8: its letters are read as Windows-1252',
    'western.md: line 3 is not UTF-8: its letters are read as Windows-1252',
  ])
})

/** Texts as bytes of an encoding, which Node decodes but does not encode. */
const encode = (text: string, encoding: string): Buffer => {
  const decoder = new TextDecoder(encoding)
  const codes = new Map<string, number[]>()
  for (let lead = 0x80; lead < 0x100; lead++) {
    for (let trail = 0x40; trail < 0x100; trail++) codes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
    codes.set(decoder.decode(Uint8Array.of(lead)), [lead])
  }
  return Buffer.from(
    Array.from(text).flatMap((letter) => (letter < '\x80' ? [letter.charCodeAt(0)] : codes.get(letter)!)),
  )
}

test.each([
  ['Shift_JIS', 'これは日本語の文書です。設定ファイルを開いてください。'],
  ['EUC-JP', 'これは日本語の文書です。設定ファイルを開いてください。'],
  ['GB18030', '这是中文文档。请先安装软件，然后打开配置文件。谢谢使用。'],
  ['Big5', '這是中文文件。請先安裝軟體，然後打開設定檔。謝謝使用。'],
  ['EUC-KR', '이것은 한국어 문서입니다. 설치 방법을 설명합니다. 설정 파일을 여십시오.'],
  ['KOI8-R', 'Это документация на русском языке. Сначала установите программу и откройте файл.'],
  ['windows-1251', 'Это документация на русском языке. Сначала установите программу и откройте файл.'],
])('a page in %s shows its letters, and has a remark', async (encoding, text) => {
  const page = encode(`# One\n\n${text}\n`, encoding)
  expect(page.equals(Buffer.from(`# One\n\n${text}\n`))).toBe(false)
  const { files, report } = await exportFiles({ 'index.md': page })
  expect(files.get('index.html')).toContain(text)
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    `index.md: line 3 is not UTF-8: it is read as ${encoding}`,
  ])
})

test('a Git LFS pointer in a folder is not copied and not shown, and has a line of the report', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
  const { files, report } = await exportFiles({
    'docs.json':
      '{ "name": "A", "logo": "img/logo.png", "favicon": "img/icon.svg", "navigation": { "pages": ["index"] } }',
    'index.md': '# L\n\n![x](img/lfs.png) [zip](img/all.zip)\n\n<<< ./code.py\n',
    'page.md': pointer,
    'img/lfs.png': pointer,
    'img/all.zip': pointer,
    'img/logo.png': pointer,
    'img/icon.svg': pointer,
    'code.py': pointer,
  })
  for (const [name, content] of files) expect(name === 'export-report.json' ? '' : content).not.toContain('git-lfs')
  const named = report.lines.filter(({ what }) => what.includes('Git LFS')).map(({ file, what }) => `${file} ${what}`)
  for (const name of ['lfs.png', 'all.zip', 'logo.png', 'icon.svg', 'code.py', 'page.md'])
    expect(named.filter((line) => line.includes(name))).toHaveLength(1)
})

test('a picture keeps its sources for dark pages and other sizes, with all files, and an archive keeps its ending', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const { files, report } = await exportFiles({
    'index.md': `# P\n\n<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="img/a.png 1x, img/b.png 2x">\n  <source srcset="img/gone.png 300w">\n  <source srcset="https://evil.example/x.png 2x">\n  <img alt="p" src="img/a.png">\n</picture>\n\n[archive](app.tar.gz) [other](b.v1.gz)\n`,
    'img/a.png': png,
    'img/b.png': Buffer.concat([png, png]),
    'app.tar.gz': 'x',
    'b.v1.gz': 'y',
  })
  const page = files.get('index.html')!
  expect(page).toMatch(
    /<source media="\(prefers-color-scheme: dark\)" srcset="media\/a\.\w{8}\.png 1x, media\/b\.\w{8}\.png 2x">/,
  )
  expect(page.match(/<source/g)).toHaveLength(1)
  for (const [, name] of page.matchAll(/(media\/[\w.-]+)/g)) expect(files.has(name!)).toBe(true)
  expect(page).toMatch(/href="media\/app\.\w{8}\.tar\.gz"/)
  expect(page).toMatch(/href="media\/b-v1\.\w{8}\.gz"/)
  expect(report.lines.map(({ what }) => what)).toEqual([
    'img/gone.png: there is no such file',
    'something that would be loaded from evil.example; a link took its place',
  ])
})

test('a book reads no entry in a comment of its summary, and a page without a title has the name of its entry', async () => {
  const { files } = await exportFiles({
    'book.toml': '[book]\ntitle = "Das Buch"\n',
    'src/SUMMARY.md':
      '<!--\n# Summary\n-->\n# Inhalt\n\n<!--\n- [What is it?](ch01-what.md)\n  - [Lost](gone.md)\n-->\n- [Was ist das?](ch01-what.md)\n- [Der Rest](ch02.md)\n',
    'src/ch01-what.md': '<!--\n## What is it?\n-->\n\n## Was ist das?\n\nText.\n',
    'src/ch02.md': 'Text.\n',
  })
  const first = files.get('ch01-what.html')!
  expect(first).toMatch(/<title>Was ist das\? · Das Buch<[^]*<h1[^>]*>Was ist das\?<\/h1>/)
  expect(first).not.toMatch(/What|Lost|<h2[^>]*>Was/)
  expect(files.get('ch02.html')).toContain('<title>Der Rest · Das Buch')
})

test('a book shows hidden marks, warnings, drafts and suffix chapters as mdBook does, and names what it does not run', async () => {
  const { files, report } = await exportFiles({
    'book.toml':
      '[book]\ntitle = "The Book"\n[output.html]\nadditional-css = ["custom.css"]\n[preprocessor.mermaid]\ncommand = "x"\n',
    'src/SUMMARY.md':
      '# Summary\n\n[Intro](README.md)\n\n# Part One\n\n- [One](one.md)\n  - [Nested](nested.md)\n  - [Draft]()\n- [Later]()\n---\n- [Dup](two.md)\n\n[Contributors](contrib.md)\n',
    'src/README.md':
      '# Intro\n\n```rust\n# fn hidden() {}\nfn main() {\n## shown\n}\n```\n\n<div class="warning">\n\nTake **care**.\n\n</div>\n\n{{% raw %}}\n',
    'src/one.md': '# One\n\n## The title {#vec .cls}\n\n[self](#vec)\n',
    'src/nested.md': '# Nested',
    'src/two.md': '# Two',
    'src/contrib.md': '# Contrib',
  })
  const page = files.get('index.html')!
  expect(page).toMatch(/class="callout warning"[^]*<strong>care<\/strong>/)
  expect(page.replace(/<[^>]*>/g, '')).toContain('# shown')
  expect(page.replace(/<[^>]*>/g, '')).not.toContain('hidden')
  expect(files.get('one.html')).toContain('<h2 id="vec">The title')
  const text = files.get('one.html')!.replace(/^[^]*?<nav class="sidebar"|<nav id="docket-nav"/, '')
  for (const name of ['Draft', 'Later']) expect(text).toContain(name)
  const site = await readSite(
    await openSourceFolder(
      await writeFolder(
        Object.fromEntries([
          ['book.toml', '[book]\n'],
          ['src/SUMMARY.md', '# Summary\n\n# Part\n\n- [One](one.md)\n---\n- [Two](two.md)\n\n[Three](three.md)\n'],
          ...['one', 'two', 'three'].map((name) => [`src/${name}.md`, `# ${name}`]),
        ]),
      ),
    ),
    'x',
  )
  expect(site.nav.map((node) => (node.kind === 'page' ? node.path : node.title))).toEqual(['Part', 'two', 'three'])
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    'src/SUMMARY.md: it is the navigation',
    'book.toml: the setting `output.html.additional-css`: a copy does not use it',
    'book.toml: the setting `preprocessor.mermaid`: a copy does not use it',
    'src/README.md: a command of a template is text on the page (1 times, first in line 16 of its text)',
  ])
})

test('components that a Docusaurus site registers for all pages are rendered, partials included, and others keep their remark', async () => {
  const site = {
    'docusaurus.config.js': `module.exports = { title: 'D', presets: [['classic', {}]] }`,
    'src/theme/MDXComponents/index.js': `import MDXComponents from '@theme-original/MDXComponents'
      import Requirements from '@site/docs/partials/_requirements.mdx'
      import { Badge as Mark } from '@site/src/components/badge'
      import Gone from 'some-package'
      const Local = ({ children }) => <strong>{children}</strong>
      export default { ...MDXComponents, Requirements, Mark, Gone, Local, a: Local }`,
    'src/components/badge/index.tsx': `export const Badge = ({ text }: { text: string }) => <em>Badge {text}</em>`,
    'docs/partials/_requirements.mdx': 'You need **Node** {props.version}. <Mark text="inner" />',
    'docs/a.mdx':
      '# A\n\n<Requirements version="24" />\n\n<Mark text="one" /> and <Local>own</Local>\n\n<Gone />\n\n[link](b.md)\n',
    'docs/b.md': '# B\n',
  }
  const { files, report } = await exportFiles(site)
  const page = [...files].find(([name]) => /(^|\/)a\.html$/.test(name))![1]
  expect(page).toContain('You need <strong>Node</strong> 24.')
  expect(page).toContain('<em>Badge inner</em>')
  expect(page).toContain('<em>Badge one</em>')
  expect(page).toContain('<strong>own</strong>')
  expect(page).toMatch(/<a href="b\.html">link/)
  expect(report.lines.map(({ what }) => what).join('\n')).toMatch(/<Gone>/)
})

test('what a copy shows in another way than its tool has one line', async () => {
  const lines = async (files: Readonly<Record<string, string>>) =>
    (await exportFiles(files)).report.lines.map(({ file, what }) => `${file}: ${what}`)
  expect(
    await lines({
      'mkdocs.yml': 'site_name: A\n',
      'docs/a.md': '# A\n\nH~2~O and H~3~O, ~~gone~~\n\n| a | b |\n| - | - |\n| `a|b` | 2 |\n\n`H~2~O`\n',
      'docs/b.md': '# B\n\nH~2~O\n\n```\n~x~ {{< y >}}\n```\n',
    }),
  ).toEqual([
    'docs/a.md: text between single tildes is struck through (2 times, first in line 3 of its text)',
    'docs/a.md: a pipe in the code of a table begins a new cell (1 times, first in line 7 of its text)',
    'docs/b.md: text between single tildes is struck through (1 times, first in line 3 of its text)',
  ])
  expect(
    await lines({
      'docusaurus.config.js': `module.exports = { title: 'D', presets: [['classic', {}]] }`,
      'docs/a.mdx': '# A\n\n[x](pathname:///files/x.zip)\n',
      'blog/2020-01-01-first.md': '# First',
      'src/pages/index.tsx': 'export default () => null',
      'versions.json': '["1.0"]',
      'versioned_docs/version-1.0/a.mdx': '# A',
    }),
  ).toEqual(
    expect.arrayContaining([
      'src/pages/index.tsx: programs below src/pages, such as the landing page, are not run',
      'blog/2020-01-01-first.md: the blog has only its pages: no index, dates, authors and tags',
      'docusaurus.config.js: versions are rows of tabs',
      expect.stringMatching(/^docs\/a\.mdx: `pathname:\/\/\/`.* \(1 times, first in line 3/),
    ]),
  )
  expect(
    await lines({
      'astro.config.mjs': `export default defineConfig({ integrations: [starlight({ title: 'S' })] })`,
      'src/content/docs/a.mdx': `---\ntitle: A\n---\nimport plan from './plan.png'\n\n<img src={plan.src} alt="Plan" />\n`,
      'src/content/docs/plan.png': 'x',
    }),
  ).toEqual(['src/content/docs/a.mdx: an attribute: src of <img> (.src)'])
  expect(
    await lines({
      'a.md': '# A\n\n{{< x >}} {% if y %} [[Page]] `{% z %}` {{% w %}}\n\n:::{note}\n',
      'b.md': '{% y %}',
    }),
  ).toEqual([
    'a.md: a command of a template is text on the page (4 times, first in line 3 of its text)',
    'a.md: a link of Obsidian or a wiki, whose syntax is not read, is text on the page (1 times, first in line 3 of its text)',
    'b.md: a command of a template is text on the page (1 times, first in line 1 of its text)',
  ])
})

test('a text or setting whose notation is not read has a line, and what can be read of it counts', async () => {
  const lines = async (files: Readonly<Record<string, string | Buffer>>) => {
    const { report, files: written } = await exportFiles(files)
    const titles = [...written].flatMap(([, html]) => /<title>([^<·]*) ·/.exec(html)?.[1] ?? [])
    return { titles, lines: report.lines.map(({ file, what }) => `${file}: ${what}`) }
  }
  const written = await lines({
    'index.md': '# Start',
    'bracket.md': '---\ntitle: [WIP] Name\n---\n',
    'dots.md': '---\ntitle: Dots\n...\n',
    'list.md': '---\ntitle: [A, B]\n---\n',
    'old.md': '---\rtitle: Old Mac\r---\rText',
    'tab.md': '---\n\ttitle: Tab\n---\n',
    'utf16.md': Buffer.from('---\r\ntitle: Wide\r\n---\r\nText', 'utf16le'),
    'utf32.md': Buffer.from('\uFEFF#', 'utf16le').swap16().toString('latin1') + '\0',
    'jis.md': '# \x1b$BF|K\\\x1b(B',
  })
  expect(written.titles).toEqual(expect.arrayContaining(['[WIP] Name', 'Dots', 'Old Mac', 'Wide']))
  expect(written.lines).toEqual([
    expect.stringMatching(/^jis\.md: line 1 has characters that no text has$/),
    expect.stringMatching(/^utf32\.md: line 1 has characters that no text has$/),
    expect.stringMatching(/^bracket\.md: a part of its front matter that cannot be read: /),
    'list.md: its title, which is no text',
    expect.stringMatching(/^tab\.md: its front matter cannot be read, and is text of the page: .+, line 2$/),
  ])
  expect((await lines({ 'docs.json': '{"navigation": "a"}', 'a.md': '# A', 'b.md': '' })).lines).toEqual([
    'docs.json: it has no navigation that can be read',
  ])
  const config = `export default async () => ({ title: 'T', themeConfig: { sidebar: files.map((f) => ({ link: f })) } })`
  expect((await lines({ '.vitepress/config.js': config, 'index.md': '# A' })).lines).toEqual([
    '.vitepress/config.js: themeConfig.sidebar is the result of code, which is not run: a call of files.map()',
  ])
})

test('no line says that an import begins with a dot, or that there is no such page, when that is not so', async () => {
  const { report } = await exportFiles({
    'docs.json': JSON.stringify({
      navigation: { pages: ['./a', 'b#part', 'c%20d', 'e\\f', 'g?x=1', 'UPPER', '../../out', 'gone'] },
    }),
    ...Object.fromEntries(['a', 'b', 'c d', 'e/f', 'g', 'upper'].map((name) => [`${name}.mdx`, `# ${name}`])),
  })
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    'UPPER: the navigation names it, and upper.mdx has other capital letters',
    '../../out: the navigation names it, and there is no such page',
    'gone: the navigation names it, and there is no such page',
    'upper.mdx: hidden: the navigation does not list it',
  ])
  const theme = await exportFiles({
    'docusaurus.config.js': `module.exports = { title: 'D', presets: [['classic', {}]] }`,
    'docs/a.mdx': `import Tabs from '@theme/Tabs'\n\n# A\n`,
  })
  expect(theme.report.lines).toEqual([])
})

test('projects that the site is not made of are named, wherever they are', async () => {
  const names = async (files: Readonly<Record<string, string>>) =>
    (await exportFiles(files)).report.lines.map(({ file, what }) => `${file}: ${what}`)
  const docs = '{"navigation": {"pages": ["a"]}}'
  expect(await names({ 'docs.json': docs, 'a.md': '# A', 'apps/x/mkdocs.yml': 'site_name: X' })).toEqual([
    './: the site is made from the project in this folder; other folders with a configuration: apps/x/',
  ])
  expect(await names({ '1/2/3/4/5/docs.json': docs, '1/2/3/4/5/a.md': '# A' })).toEqual([
    '1/2/3/4/5/: the site is made from the project in this folder',
  ])
})

test('an export without pages says why', async () => {
  const files = { 'docs.json': '{}', '.mintignore': 'a.md', 'a.md': '# A' }
  await expect(exportFiles(files)).rejects.toThrow('no pages to export; a.md: .mintignore names it')
})
