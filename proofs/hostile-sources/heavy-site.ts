import { many, type SourceBuilder } from './source-builder.ts'

const megabyte = (piece: string) => piece.repeat(Math.floor(1_000_000 / piece.length))

const heavyPages: Readonly<Record<string, string>> = {
  'headings.md': '# h\n'.repeat(100_000),
  'second-headings.md': '## h\n'.repeat(7_000),
  'brackets.md': megabyte('!['),
  'stars.md': megabyte('**a*_b_'),
  'ticks.md': megabyte('`a'),
  'cells.md': `|${'a|'.repeat(400)}\n|${'-|'.repeat(400)}\n${'x\n'.repeat(5_000)}`,
  'quotes.md': `${'> '.repeat(3_000)}x`,
  'lists.md': many(400, (depth) => `${'  '.repeat(depth)}- x\n`),
  'elements.md': '<div>'.repeat(8_000),
  'parts.mdx': '<Card>'.repeat(4_000),
  'formatting.md': `<div>\n${many(900, (index) => `<b id=${index}>`)}</div>\n\n${'x\n\n'.repeat(8_000)}`,
  'reopened.md': `<div><p>${many(900, (index) => `<b id=${index}>`)}x</p>${'<p>x'.repeat(3_000)}</div>`,
  'anchors.md': '<a href="x"><b id=y>'.repeat(3_000),
  'tables.md': '<table><tr><td>'.repeat(3_000),
  'braces.mdx': '{'.repeat(20_000),
  'lines.mdx': '{a\n'.repeat(6_000),
  'blanks.md': `# a${' '.repeat(900_000)}b\n`,
  'slashes.md': `[x](a${'/'.repeat(700_000)}x)`,
  'links.md': '[x](y) '.repeat(4_000),
  'footnotes.md': many(4_000, (index) => `[^${index}] `) + many(2_000, (index) => `\n[^${index}]: x`),
  'references.md': `[a]: x\n\n${'[a] '.repeat(9_000)}`,
  'entities.md': '&#x41;'.repeat(9_000),
  'keys.md': `---\n${many(90_000, (index) => `k${index}: 1\n`)}---\n`,
  'flow.md': `---\na: ${'['.repeat(30_000)}\n---\n`,
  'title.md': `---\ntitle: ${'t'.repeat(60_000)}\n---\n`,
  'code.md': many(12, () => `\`\`\`md\n${`${'*_`['.repeat(240)}\n`.repeat(60)}\`\`\`\n\n`),
  'languages.md': many(
    60,
    (index) =>
      `\`\`\`${['abap', 'ada', 'c', 'cpp', 'java', 'php', 'perl', 'r', 'tex', 'wolfram'][index % 10]}\n${'x("y") '.repeat(90)}\n\`\`\`\n\n`,
  ),
  'meta.md': many(60, () => `\`\`\`js {${'1-99999,'.repeat(900)}}\nx\n\`\`\`\n\n`),
  'containers.md': '::: tip\n'.repeat(4_000),
  'fan.mdx': `${many(3_000, (index) => `import A${index} from "./fan-a.mdx"\n`)}\n<A1 />\n`,
  'fan-a.mdx': `${many(3_000, (index) => `import B${index} from "./fan-b.mdx"\n`)}\nx\n`,
  'fan-b.mdx': `${many(3_000, (index) => `import C${index} from "./index.md"\n`)}\nx\n`,
  'values.mdx': `import A from "./words.mdx"\n\n<A x="${'y'.repeat(3_900)}" />\n`,
  'words.mdx': '{x}'.repeat(200_000),
  'attributes.mdx': `import A from "./index.md"\n\n<A ${'a'.repeat(500_000)} />\n`,
  'indent.mdx': `import A from "./rows.mdx"\n\n${' '.repeat(300_000)}<A />\n`,
  'rows.mdx': 'x\n'.repeat(200_000),
  'uses.mdx': `import A from "./rows.mdx"\n\n${'<A />\n'.repeat(9_000)}`,
  'circle.mdx': 'import Circle from "./circle.mdx"\n\n<Circle /><Circle />\n',
  'includes.md': '<!--@include: ./_include.md{9,}-->\n'.repeat(30_000),
  'itself.md': '<!--@include: ./itself.md-->\n'.repeat(20),
}

/** A site whose pages and settings would take all time, memory or disk. */
export const fillHeavySite = ({ page, file, reported }: SourceBuilder): void => {
  page('index.md', '# Home\n')
  for (const [name, content] of Object.entries(heavyPages)) page(name, content)
  file('huge.md', '# Huge\n'.padEnd(10 * 1024 * 1024, 'word '))
  reported('huge.md')
  file('_include.md', `${'\n'.repeat(9)}${'<!--@include: ./_last.md{9,}-->\n'.repeat(30_000)}`)
  file('_last.md', '\n')
  file('large.json', `[${'[],'.repeat(1_300_000)}[]]`)
  file(
    'openapi.yaml',
    `openapi: 3.1.0\ninfo: {title: x}\npaths: {}\nx:\n${many(200_000, (index) => ` k${index}: 1\n`)}`,
  )
  const pages = [
    'index',
    ...Object.keys(heavyPages).map((name) => name.replace(/\.mdx?$/, '')),
    '/'.repeat(500_000) + 'x',
    'no/such/page',
  ]
  const navigation = { pages: [...pages, ...Array.from({ length: 400 }, () => ({ $ref: './large.json' }))] }
  const redirects = Array.from({ length: 12_000 }, (_, index) => ({ source: `/r${index}`, destination: '/' }))
  file('docs.json', JSON.stringify({ navigation, redirects, openapi: 'openapi.yaml' }))
  for (const name of ['no/such/page', 'large.json', 'docs.json']) reported(name)
}

/** A book whose list of chapters, and a site of another tool whose configuration, would. */
export const fillHeavyBook = ({ page, file }: SourceBuilder): void => {
  page('index.md', '# Home\n')
  file(
    'SUMMARY.md',
    `# a${' '.repeat(6_000)}x\n${many(3_000, (depth) => `${' '.repeat(depth)}- [${'['.repeat(300)}x](index.md)\n`)}`,
  )
}

export const fillHeavyConfiguration = ({ page, file }: SourceBuilder): void => {
  page('index.md', '# Home\n')
  const doubling = many(15, (index) => `const t${index + 1} = \`\${t${index}}\${t${index}}\`\n`)
  const rows = many(40, (index) => `const r${index + 1} = [...r${index}, ...r${index}]\n`)
  file(
    '.vitepress/config.ts',
    `globalThis.ran = 1\nconst t0 = "${'x'.repeat(100_000)}"\nconst r0 = [1]\n${doubling}${rows}export default { title: t15, themeConfig: { sidebar: r40 } }\n`,
  )
}
