import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const page = `# Page

<div class="grid cards" markdown>

-   :material-clock-fast:{ .lg .middle } **First card**

    ---

    Text of [one](other.md)

- Second card

</div>

<div class="grid" markdown>

Third card
{ .card }

> Quote

</div>

[Go word](other.md){ .md-button .md-button--primary } [Stay word](other.md){ .md-button }

Smile :smile: and :man_raising_hand: but 10:30:45, :unknown_name: and \`:smile:\`. Read[^1] and [again](#fn:1).

[^1]: Foot word

\`\`\` title="Only a title"
let a
\`\`\`

\`\`\`\` markdown
\`\`\` { .py hl_lines="2" }
\`\`\`
\`\`\`\`
`

test('grids, buttons, emoji, footnotes and titles of a Material for MkDocs page are rendered', async () => {
  const { files, report } = await exportFiles({
    'mkdocs.yml': 'site_name: A\ntheme: { name: material }\n',
    'docs/index.md': page,
    'docs/other.md': '---\nhide: [navigation, toc]\n---\n# Other\n\n## A\n\n## B\n',
  })
  const html = files.get('index.html')!
  expect(linkProblems(files)).toEqual([])
  expect(html.match(/<div class="card">/g)).toHaveLength(3)
  expect(html.match(/<div class="cards">/g)).toHaveLength(2)
  expect(html).not.toContain('<hr>')
  expect(html).toContain('<blockquote>')
  expect(html).toMatch(/<a class="link-button primary" href="other.html">Go word<\/a>/)
  expect(html).toMatch(/<a class="link-button secondary" href="other.html">Stay word<\/a>/)
  expect(html).toContain('Smile 😄 and 🙋‍♂️ but 10:30:45, :unknown_name: and <code>:smile:</code>')
  expect(html).toMatch(/<li id="fn:1">/)
  expect(html).toContain('<figcaption>Only a title')
  expect(html).toContain('``` { .py hl_lines="2" }')
  expect(files.get('other.html')).toContain('mode-center')
  expect(report.lines.filter(({ kind }) => kind !== 'left-out')).toEqual([])
  expect(report.lines.some(({ what }) => what.includes('class names'))).toBe(false)
})
