import { expect, test } from 'vitest'
import { includeFiles } from '#readers/includes.ts'
import { createPieceReader } from '#readers/piece-reader.ts'
import { readDialect } from '#readers/read-dialect.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import { createCodeLineTest } from './code/code-lines.ts'
import { openAdmonitions } from './admonitions.ts'
import { readCodeBlock } from '#markdown/code/code-meta.ts'
import { openContainers } from './containers.ts'
import { createEmptyPieces } from '#markdown/mdx/page-pieces.ts'
import { parsePage } from './parse-page.ts'
import { repairMdx } from '#markdown/mdx/mdx-mistakes.ts'
import { finishMkdocs } from '#markdown/mkdocs/finish-tree.ts'
import { findClosedNames, repairTags } from '#markdown/mdx/raw-tags.ts'
import { runWithinTime } from '@docket/sources/within-time'

/** Removes blank lines, which only separate Markdown from elements. */
const compact = (text: string) => text.replace(/\n\s*\n/g, '\n').trim()

test('a closing line of colons ends the outermost block that has at most as many colons', () => {
  const open = (text: string) => compact(openContainers(text))
  expect(open('::: warning IMPORTANT {#x}\na\n::: code-group\nb\n:::\nc\n::: tip\nd\n:::')).toBe(
    '<warning title="IMPORTANT" id="x">\na\n<codegroup>\nb\n</codegroup>\n</warning>\nc\n<tip>\nd\n</tip>',
  )
  expect(open(':::: info\n::: tip\na\n:::\nb\n::::\nc')).toBe('<info>\n<tip>\na\n</tip>\nb\n</info>\nc')
  expect(open('::: tip\na')).toBe('<tip>\na\n</tip>')
  expect(open('::: tip\n```\n:::\n```\nb\n:::\n:::')).toBe('<tip>\n```\n:::\n```\nb\n</tip>')
  expect(open('::: tabs\n== One\na\n== Two\nb\n:::')).toBe(
    '<tabs>\n<tab title="One">\na\n</tab>\n<tab title="Two">\nb\n</tab>\n</tabs>',
  )
  expect(open('::: details A "b" <c>\n:::')).toBe('<accordion title="A &quot;b&quot; &lt;c>">\n</accordion>')
  expect(open('::: unknown Its *title*\na\n:::')).toBe('<note title="Its title">\na\n</note>')
  expect(open(':::unknown[Title]{a=b}\na\n:::\n::: v-pre x\n:::')).toBe(
    '<note title="Title">\na\n</note>\n<div v-pre>\n</div>',
  )
  for (const line of ['::: unknown', ':::unknown{a=b}', '::: package.Class'])
    expect(open(`${line}\na\n:::`)).toBe('<div>\na\n</div>')
})

test('indented admonitions and tabs become elements, even if nested, and code and lookalikes stay text', () => {
  const open = (text: string) => compact(openAdmonitions(text))
  expect(open('!!! info "The [`a`][b.c] here"\n    a')).toBe('<info title="The a here">\na\n</info>')
  expect(open('!!! warning "Mind *this*"\n    a\n\n    !!! tip\n        b\nc')).toBe(
    '<warning title="Mind this">\na\n<tip>\nb\n</tip>\n</warning>\nc',
  )
  expect(open('??? note\n    a')).toBe('<accordion kind="note">\na\n</accordion>')
  expect(open('!!! quote\n    a')).toBe('<note kind="quote">\na\n</note>')
  expect(open('!!! tip "Slow <small>and `<b>`</small> <T>"\n    a')).toBe(
    '<tip title="Slow and &lt;b> &lt;T>">\na\n</tip>',
  )
  expect(open('!!!note "on "it" here"\n    a')).toBe('<note title="on &quot;it&quot; here">\na\n</note>')
  expect(open('=== "A"\n    1\n\n=== "B"\n    2\n\nafter\n=== "C"\n    3')).toBe(
    '<tabs>\n<tab title="A">\n1\n</tab>\n<tab title="B">\n2\n</tab>\n</tabs>\nafter\n<tabs>\n<tab title="C">\n3\n</tab>\n</tabs>',
  )
  expect(open('- item\n\n    !!! info\n        a')).toBe('- item\n    <info>\n    a\n    </info>')
  for (const text of ['```\n!!! note\n    a\n```', 'Heading\n===', '!!! note\nnot indented', '!!!', '=== "a"'])
    expect(openAdmonitions(text)).toBe(text)
})

test('lines of fenced code are recognised in lists, in quotes and next to other fences', () => {
  const read = (text: string) => {
    const isCode = createCodeLineTest()
    return text
      .split('\n')
      .map((line) => (isCode(line) ? 'c' : '.'))
      .join('')
  }
  expect(read('a\n```\nb\n```\nc')).toBe('.ccc.')
  expect(read('```\na\n    ``` md\n    b\n    ```\n```\nc')).toBe('cccccc.')
  expect(read('- ```\n  a\n  ```\nb')).toBe('ccc.')
  expect(read('> ~~~\n> a\n> ~~~\nb')).toBe('ccc.')
  expect(read('```a``` is no fence\nb')).toBe('..')
  expect(read('````\n```\n````\nb')).toBe('ccc.')
})

test.each([
  ['ts', '{1,3-4} [a.ts]', { title: 'a.ts', marks: [1, 3, 4] }],
  ['ts', 'title="b.ts" highlight={2}', { title: 'b.ts', marks: [2] }],
  ['ts', 'My file.ts lines', { title: 'My file.ts', marks: [] }],
  ['ts', 'focus={1} showLineNumbers', { title: null, marks: [1] }],
  ['bash', '[npm ~vscode-icons:file~]', { title: 'npm', marks: [] }],
  ['ts', '{1-99999999}', { title: null, marks: [] }],
])('for a code block in %s, the options %s set its title and marked lines', (language, meta, { title, marks }) => {
  const block = readCodeBlock('x', language, meta)
  expect({ title: block.title, marks: [...block.marks.keys()] }).toEqual({ title, marks })
})

test('code comments for documentation tools become line marks, and hidden lines are removed', () => {
  const source =
    "a // [!code ++]\nb /* [!code error] */\n# [!code highlight:2]\nc\nd\ne <!-- [!code focus] -->\nf '[!code x]'"
  const { code, marks } = readCodeBlock(source, 'js', '')
  expect(code).toBe("a\nb\nc\nd\ne\nf '[!code x]'")
  expect([...marks]).toEqual([
    [1, 'added'],
    [2, 'wrong'],
    [3, 'marked'],
    [4, 'marked'],
    [5, 'focused'],
  ])
  expect(readCodeBlock('# use a;\nlet b;\n#[derive(C)]\n', 'rust', '').code).toBe('let b;\n#[derive(C)]\n')
  expect(readCodeBlock('let a\n// ---cut---\nlet b\n//  ^?\n', 'ts', 'twoslash').code).toBe('let b\n')
})

test('Docusaurus and Starlight line markers become line marks, not text or titles', () => {
  const source =
    '// highlight-next-line\na\n<!-- highlight-start -->\nb\nc\n{/* highlight-end */}\nd\n# highlight-next-line\ne\nf highlight-next-line'
  const { code, marks } = readCodeBlock(source, 'js', '')
  expect(code).toBe('a\nb\nc\nd\ne\nf highlight-next-line')
  expect([...marks.keys()]).toEqual([1, 2, 3, 5])
  const words = readCodeBlock('const some = 1\nx\ny', 'js', '{1} "some" /x+/ ins={2} del={3} title="a.js"')
  expect(words.title).toBe('a.js')
  expect(readCodeBlock('const some = 1', 'js', '"some"').title).toBe(null)
  expect([...words.marks]).toEqual([
    [1, 'marked'],
    [2, 'added'],
    [3, 'removed'],
  ])
})

test('in Markdown, a closed tag is an element, an unclosed unknown tag is text, and void or quoted tags are unchanged', () => {
  const readable = (html: string) => repairTags(html, findClosedNames([html]))
  expect(readable('<Card title="a/b" />x')).toBe('<Card title="a/b" ></Card>x')
  expect(readable('Vec<T> and <name>')).toBe('Vec&lt;T&gt; and &lt;name&gt;')
  expect(readable('<b title="<T>">x</b><br/><img src=a />')).toBe('<b title="<T>">x</b><br/><img src=a />')
  expect(readable('<!-- <T> -->')).toBe('<!-- <T> -->')
  expect(readable('a <select> in a <template>x</template>')).toBe('a &lt;select&gt; in a <template>x</template>')
})

test('Markdown that is invalid in MDX is rewritten, except in code', () => {
  expect(repairMdx('a <!-- {x} -->b\n# h {#id}\n<https://x.y> <a@b.c> <br> <img src="a"> <hr/>')).toBe(
    'a b\n# h \\{#id}\n[https://x.y](https://x.y) [a@b.c](mailto:a@b.c) <br /> <img src="a" /> <hr/>',
  )
  const code = '```html\n<!-- a -->\n<br>\n```\n`<br>`'
  expect(repairMdx(code)).toBe(code)
})

const size = 200_000
const mkdocs = { aliases: new Map(), snippets: { folders: [''], appended: [] }, root: '', pages: new Map(), name: '' }
const page = { file: 'a.md', title: '' }
const note = () => undefined
const hostile = {
  'blanks behind <<<': `<<< a${' '.repeat(size)}x`,
  'blanks in an include': `<!--@include: a${' '.repeat(size)}x`,
  'includes without an end': '<!--@include:a'.repeat(size / 14),
  'a long name in an include': `{{#include ${'a'.repeat(size)}`,
  'blanks before a code mark': `a${' '.repeat(size)}[!code ++]x`,
  'blanks within a code mark': `// [!code ${' '.repeat(size)}]`,
  'braces without an end': '{1,2'.repeat(size / 4),
  hyphens: '-'.repeat(size),
  'a long element': `<${'a'.repeat(size)}`,
  'blanks in an element': `<br${' '.repeat(size)}`,
  'quotes without an end': `<a ${'"'.repeat(size)}`,
  backticks: '`'.repeat(size),
  colons: ':'.repeat(size),
  remarks: '!!! a'.repeat(size / 5),
  'angle brackets': '<'.repeat(size),
  slashes: '/// a\n'.repeat(size / 6),
  'blanks before a slash': `///${' '.repeat(size)}x`,
  meanings: 'a\n: b\n'.repeat(size / 6),
  'blanks before a meaning': `a\n:${' '.repeat(size)}\n`,
  'elements with Markdown': '<a markdown'.repeat(size / 11),
  'an attribute list': `# a {${' .a'.repeat(size / 3)}`,
  'attribute lists': '*a*{ .a }'.repeat(size / 100),
  'keys without an end': '++a'.repeat(size / 30),
  abbreviations: '*[a]: b\n'.repeat(size / 40),
  'snippets without an end': '--8<--\n'.repeat(size / 7),
  'blanks in a snippet': `--8<--${' '.repeat(size)}x`,
  'references to Python code': '[`a`][b.c] [d][e.f] ['.repeat(size / 100),
  'blocks of GitBook without an end': '{% '.repeat(size / 3),
  'blocks of GitBook after backticks': '`{% a %'.repeat(size / 7),
  'open blocks of GitBook': '{% tab %}'.repeat(size / 40) + '{% endstep %}'.repeat(size / 40),
  'attributes of a GitBook block': `{% tab ${'a="'.repeat(1_000)} %}`.repeat(size / 4_000),
  'list markers before a GitBook block': `${'* '.repeat(size / 4)}{% hint %}${' '.repeat(size / 2)}x`,
  references: '::: a\n  b\n'.repeat(size / 10),
  'blanks of a title': `{{#title${' '.repeat(size)}`,
}

// A regular expression that rescans its input would take minutes to days for each of these.
test.each(Object.entries(hostile))('input with %s is read within the time limit', async (_, text) => {
  const reader = createPieceReader({ explain: () => null, read: () => Promise.resolve(Buffer.from(text)) })
  const waiting: Promise<unknown>[] = []
  runWithinTime(() => {
    waiting.push(includeFiles(reader, '', 'a.md', text), includeFiles(reader, '', 'a.md', '<!--@include: b.md#x-->'))
    for (const read of [openContainers, openAdmonitions, repairMdx, readFrontMatter]) read(text)
    for (const language of ['js', 'rust', 'ansi']) readCodeBlock(text, language, 'twoslash')
    readCodeBlock('', 'js', text)
    repairTags(text, findClosedNames([text]))
    waiting.push(readDialect({ ...mkdocs, dialect: 'mkdocs' }, page, text, { reader, note }))
    waiting.push(readDialect({ ...mkdocs, dialect: 'book' }, page, text, { reader, note }))
    waiting.push(readDialect({ ...mkdocs, dialect: 'starlight' }, page, `\`\`\`js\n${text}`, { reader, note }))
    waiting.push(readDialect({ ...mkdocs, dialect: 'gitbook' }, page, text, { reader, note }))
    const tree = parsePage(text.slice(0, 4_000), { isMdx: false, formulas: 'none', pieces: createEmptyPieces() }, note)
    finishMkdocs(tree, note)
    readFrontMatter(`---\nlayout: home\nhero: { name: ${JSON.stringify(text)} }\n---\n`)
  })
  await Promise.all(waiting)
})
