import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const project = {
  'mkdocs.yml': `site_name: Acme
repo_url: https://github.com/acme/docs
repo_name: acme/docs word
copyright: Copyright <b>Acme word</b>
theme:
  name: material
  custom_dir: overrides
  features: [navigation.tabs, content.action.edit]
  icon: { logo: material/library }
  palette:
    - { media: '(prefers-color-scheme: light)', scheme: default, primary: amber }
    - { media: '(prefers-color-scheme: dark)', scheme: slate, primary: light blue }
extra:
  social: [{ icon: fontawesome/brands/github, link: https://github.com/acme }]
  analytics: { provider: google }
extra_javascript: [a.js]
plugins: [search, macros, own]
hooks: [a.py]
nav:
  - Home word: index.md
  - Guide word:
    - two.md
    - Deep: [three.md]
`,
  'overrides/main.html': `{% extends "base.html" %}{% block announce %}Banner word <a href="/two/">there</a>{% include ".icons/a.svg" %}{% endblock %}`,
  'docs/index.md': '# Home\n',
  'docs/two.md': '# Two\n',
  'docs/three.md': '# Three\n',
}

test('a Material for MkDocs site keeps its owner’s palette, tabs and texts, and other settings are reported', async () => {
  const { files, report } = await exportFiles(project)
  const page = files.get('three.html')!
  expect(linkProblems(files)).toEqual([])
  for (const word of ['acme/docs word', '<b>Acme word</b>', 'Banner word', '>GitHub<', 'Edit this page'])
    expect(page).toContain(word)
  expect(page).toContain('href="https://github.com/acme/docs/edit/master/docs/three.md"')
  expect(page).toMatch(/class="tab-row".*Home word.*Guide word/s)
  expect(page).not.toContain('data-theme=')
  const styles = files.get('_docket/site.css')!
  // Dark text on amber; a blue that is dark enough for white text.
  expect(styles).toContain('.top{--surface:#ffc105;--text:#16181d')
  expect(styles).toMatch(/:root\[data-theme=dark\] \.top\{--surface:#0[12][0-9a-f]{4};--text:#ffffff/)
  const left = report.lines.filter(({ what }) => what.startsWith('the setting')).map(({ what }) => what.split('`')[1])
  expect(left).toEqual('plugins.macros plugins.own hooks extra_javascript theme.icon.logo extra.analytics'.split(' '))
})

test('a site with one palette and no switch has only that appearance', async () => {
  const { files } = await exportFiles({
    'mkdocs.yml': 'site_name: A\ntheme: { name: material, palette: { scheme: slate, primary: black } }\n',
    'docs/index.md': '# Home\n',
  })
  expect(files.get('index.html')).toContain('data-theme="dark" data-fixed-theme')
})
