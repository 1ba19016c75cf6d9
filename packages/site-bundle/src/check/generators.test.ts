import { expect, test } from 'vitest'
import { generatorSites, html } from '#testing/generator-sites.ts'
import { checkContents, listAlarms } from '#testing/site.ts'

test.each(Object.entries(generatorSites))(
  'the output of a site generator raises no false alarm: %s',
  async (_, files) => {
    const { report } = await checkContents(files)
    expect(listAlarms(report.findings)).toEqual([])
    expect(report.unfinished).toBeNull()
  },
)

test('a font in a style sheet is one finding with every page that loads it, even through an import', async () => {
  const pages = Array.from({ length: 12 }, (_, place) => `p${place}.html`)
  const { report } = await checkContents({
    ...Object.fromEntries(pages.map((path) => [path, html('<link rel="stylesheet" href="a.css">', '')])),
    'a.css': '@import "b.css";',
    'b.css': '\n@font-face { src: url(https://fonts.example/a.woff2) }',
  })
  const [font] = report.findings
  expect(font).toMatchObject({ rule: 'outside-font', target: 'https://fonts.example/a.woff2', total: 12 })
  expect(font?.places[0]).toEqual({
    page: '/p0',
    path: 'b.css',
    excerpt: 'src: url(https://fonts.example/a.woff2)',
    line: 2,
  })
})

test('a style sheet named only in a script counts as loaded, and one that no page loads is a note', async () => {
  const font = '@font-face { src: url(https://fonts.example/a.woff2) }'
  const { report } = await checkContents({
    'index.html': html('<script src="main.js" defer></script><link rel="manifest" href="app.webmanifest">', ''),
    'main.js': 'load(["assets/late.css"])',
    'assets/late.css': '@import "more.css";',
    'assets/more.css': font,
    'left.css': font.replace('fonts', 'left'),
    'app.webmanifest': '{"icons":[{"src":"gone.png"}]}',
  })
  expect(listAlarms(report.findings)).toEqual(['missing-file /gone.png', 'outside-font https://fonts.example/a.woff2'])
  expect(report.findings.find(({ rule }) => rule === 'unloaded-request')).toMatchObject({
    target: 'https://left.example/a.woff2',
    places: [{ page: null, path: 'left.css' }],
  })
})

test("the service's own report is shown beside the check, and a file too large to read leaves the check unfinished", async () => {
  const lines = [{ page: 'index', file: 'index.md', kind: 'broken-link', what: 'gone.md' }]
  const { report } = await checkContents({
    'index.html': html('', ''),
    'export-report.json': JSON.stringify({ lines }),
    'large.css': ' '.repeat(17 * 1024 * 1024),
  })
  expect(report.findings.find(({ seenBy }) => seenBy === 'report')).toMatchObject({
    level: 'notes',
    rule: 'report-broken-link',
    sentence: 'The source has a broken link: gone.md',
    places: [{ page: '/', path: 'index.md', excerpt: null, line: null }],
  })
  expect(report.unfinished).toContain('large.css')
})
