import { createEmptyPieces } from '#markdown/mdx/page-pieces.ts'
import { expect, test } from 'vitest'
import { parseParts, splitPage } from '#markdown/parse-parts.ts'
import { exportFiles } from '#testing/site.ts'
import { maxCost } from '#markdown/limits/page-cost.ts'

/** Special characters in code count, but cost the parser little. */
const code = 'a[0] = {};'.repeat(80)
const entry = (number: number) =>
  `<div class="type">\n\n\`\`\`\n${code}\n\`\`\`\n\n### Type ${number}\n\n<p>**bold** [link][there]</p>\n\n</div>\n`
const reference = Array.from({ length: 120 }, (_, number) => entry(number)).join('\n')

test('a page above the cost limit is split where no element is open, and no content is lost or broken', async () => {
  const source = `## Start\n\n${reference}\n\n[there]: https://example.com/there\n`
  const parts = splitPage(source, maxCost)
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts) expect(part.match(/<div/g)?.length ?? 0).toBe(part.match(/<\/div/g)?.length ?? 0)
  const { files, report } = await exportFiles({ 'index.mdx': `# Reference\n\n${source}` })
  const html = files.get('index.html')!
  expect(html.match(/<h3 /g)).toHaveLength(120)
  expect(html.match(/<a href="https:\/\/example.com\/there"/g)).toHaveLength(120)
  expect(html).not.toMatch(/&#x3C;div|### Type/)
  expect(report.counts['not-understood']).toBeUndefined()
})

test('a part above the cost limit is shown as text beside the rendered parts, and a page of only such parts is rejected', () => {
  const kind = { isMdx: true, formulas: 'none', pieces: createEmptyPieces() } as const
  const remarks: string[] = []
  const bomb = `## Bomb\n\n${'![['.repeat(20_000)}\n`
  const tree = parseParts(`${reference}\n\n${bomb}`, kind, (_, what) => remarks.push(what))
  expect(tree.children.at(-1)).toMatchObject({ tagName: 'pre' })
  expect(tree.children.filter((node) => node.type === 'element' && node.tagName === 'pre')).toHaveLength(1)
  expect(remarks).toEqual([expect.stringContaining('one of its parts is shown as plain text')])
  expect(() => parseParts(bomb, kind, () => undefined)).toThrow('lines and marks')
})
