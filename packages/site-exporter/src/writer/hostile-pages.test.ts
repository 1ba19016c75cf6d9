import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'

test('pages that would exhaust time or memory are shown as text and reported, and the other pages are exported', async () => {
  const { files, report } = await exportFiles({
    'index.md': '# Home\n\n**fine**\n',
    'cells.md': `# Cells\n\n|${'a|'.repeat(400)}\n|${'-|'.repeat(400)}\n${'x\n'.repeat(500)}`,
    'headings.md': '# h\n'.repeat(100_000),
    'title.md': `# a${' '.repeat(500_000)}b\n`,
    'brackets.md': `# ${'['.repeat(500_000)}\n`,
  })
  expect(files.get('index.html')).toContain('<strong>fine</strong>')
  const remarks = new Map(report.lines.map(({ page, what }) => [page, what]))
  for (const [page, reason] of [
    ['cells', /tables have more than/],
    ['headings', /lines and marks/],
    ['brackets', /lines and marks/],
    ['title', /blanks in a row/],
  ] as const) {
    expect(remarks.get(page)).toMatch(reason)
    expect(files.get(`${page}.html`)).toContain('<pre>')
  }
})
