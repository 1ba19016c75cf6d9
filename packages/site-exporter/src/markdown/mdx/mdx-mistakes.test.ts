import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'

const render = async (body: string) => {
  const { files, report } = await exportFiles({
    'docs.json': '{ "name": "Site", "navigation": { "pages": ["index"] } }',
    'index.mdx': `---\ntitle: Home\n---\n\n<Note>before</Note>\n\n${body}\n\n<Tip>after</Tip>\n`,
  })
  return { article: /<article>([\s\S]*)<\/article>/.exec(files.get('index.html')!)![1]!, report }
}

test('a page with too many MDX mistakes keeps its code blocks unchanged, and shows neither imports nor comments', async () => {
  const mistakes = '{an expression} that is none\n\n'.repeat(20)
  const { article } = await render(
    `import A from './a'\n\n{/* a\nremark */}\n\n\`\`\`js\nimport B from './b'\n{/* kept */}\n\`\`\`\n\n${mistakes}`,
  )
  const text = article.replaceAll(/<[^>]*>/g, '')
  for (const kept of ["import B from './b'", '{/* kept */}', '{an expression}']) expect(text).toContain(kept)
  for (const gone of ['import A', 'remark']) expect(text).not.toContain(gone)
})

test.each([
  ['a brace that never closes', 'Use {name in text.', '{name in text.'],
  ['a brace that never closes, in a line of its own', '{name\n\nmore words', '{name'],
  ['a brace around prose', 'Use {the name} here.', '{the name}'],
  ['two of them', 'Use {the name} here.\n\nAnd {an other} there.', '{an other}'],
  ['an element that never closes', 'A <Card title="kept"> here.', 'title="kept"'],
  ['an element that never opens', 'word </Card> here.', 'word'],
  ['an element that closes after its paragraph', '<Card title="kept">first\n\nsecond</Card>', 'second'],
  ['a sign that is no element', 'a <5 and b <= c', '5 and b'],
  ['an attribute that never closes', '<Card title={kept>\n\nwords', 'kept'],
])('%s is shown as text, and the components around it are still rendered', async (_, body, kept) => {
  const { article, report } = await render(body)
  const text = article.replaceAll('&#x3C;', '<').replaceAll('&#x3E;', '>').replaceAll('&#x22;', '"')
  expect(text).toContain(kept)
  expect(text).not.toMatch(/<(note|tip)\b/i)
  expect(article).toContain('<div class="callout note"')
  expect(article).toContain('<div class="callout tip"')
  expect(report.lines.map(({ what }) => what).join('\n')).toMatch(/shown as text/)
  expect(report.lines.map(({ what }) => what).join('\n')).not.toMatch(/plain Markdown/)
})
