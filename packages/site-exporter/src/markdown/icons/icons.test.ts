import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'
import { findIcon, readIconClass, formatIconClass, otherNames } from './find-icon.ts'

const exported = async (body: string, icons?: unknown) => {
  const docs = JSON.stringify({ name: 'Test', icons, navigation: { pages: ['index'] } })
  const { files, report } = await exportFiles({ 'docs.json': docs, 'index.mdx': body, 'logo.svg': svg, 'i.md': '# I' })
  const html = files.get('index.html')!
  return {
    files,
    whats: report.lines.filter(({ kind }) => kind === 'left-out').map(({ what }) => what),
    html: html.slice(html.indexOf('<article>'), html.indexOf('</article>')),
    sheet: files.get('_docket/icons.css'),
  }
}
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
const glyphs = (html: string) => [...html.matchAll(/<span class="icon ic-([\w-]+)/g)].map(([, name]) => name)

test('component icons become glyphs of a bundled icon set in one style sheet that includes the set’s licence notice', async () => {
  const { html, sheet, files, whats } = await exported(
    `<Card title="A" icon="rocket">x</Card>\n<Accordion title="B" icon="gear">x</Accordion>\n<Note icon="leaf">x</Note>
<Steps>\n<Step title="C" icon="flag">x</Step>\n</Steps>\n<Tabs>\n<Tab title="D" icon="github">x</Tab>\n</Tabs>\n
a <Icon icon="heart" size={32} color="f00" /> b`,
  )
  expect(glyphs(html)).toEqual(
    ['rocket', 'gear', 'leaf', 'flag']
      .map((name) => `fa7-solid--${name}`)
      .concat('fa7-brands--github', 'fa7-solid--heart'),
  )
  expect(html).toMatch(/<summary><span class="icon ic-fa7-solid--gear" aria-hidden="true"><\/span>B/)
  expect(html).toMatch(/<p class="step-title"><span class="icon ic-fa7-solid--flag"/)
  expect(html).toContain('class="icon ic-fa7-solid--heart is-32 ik-xf00"')
  expect(sheet).toContain('Font Awesome Free, CC BY 4.0')
  expect(sheet).toContain('.icon.is-32{font-size:32px}')
  expect(sheet!.match(/--icon:url/g)).toHaveLength(6)
  expect(sheet).not.toMatch(/url\("(?!data:image\/svg\+xml,)/)
  expect(linkProblems(files)).toEqual([])
  expect(whats).toEqual([])
})

test('icons come from the set that the site chooses, and a name missing there comes from another set and is reported', async () => {
  const lucide = await exported('<Card title="A" icon="house">x</Card>', { library: 'lucide' })
  expect(glyphs(lucide.html)).toEqual(['lucide--house'])
  const { html, whats } = await exported(
    '<Card title="A" icon="sparkles">x</Card>\n<Card title="B" icon="sparkles">x</Card>\n<Card title="C" icon="no-such">x</Card>\n<Card title="D" icon="no-such">x</Card>',
  )
  expect(glyphs(html)).toEqual(['lucide--sparkles', 'lucide--sparkles'])
  expect(whats).toEqual([
    'the icon “sparkles”: its set lacks it, and another one has it',
    'the icon “no-such”: no kept set has it',
  ])
})

test('an unknown icon is reported once for the whole site', async () => {
  const page = '<Card title="A" icon="no-such">x</Card>'
  const { report } = await exportFiles({ 'index.mdx': page, 'b.mdx': page, 'c.mdx': page })
  expect(report.lines.map(({ what }) => what)).toEqual(['the icon “no-such”: no kept set has it'])
})

test('MkDocs icon shortcodes become glyphs outside code, and text that only resembles one is unchanged', async () => {
  const { html } = await exported(
    ':material-account: :octicons-alert-16: :simple-python: :fontawesome-brands-github: `:material-account:` at 12:30:45 :material-no-such-thing:',
  )
  expect(glyphs(html)).toEqual(['mdi--account', 'octicon--alert-16', 'simple-icons--python', 'fa7-brands--github'])
  expect(html).toContain('<code>:material-account:</code> at 12:30:45 :material-no-such-thing:')
})

test('a picture of the source or an emoji can be an icon, and any other text never reaches a class name', async () => {
  const { html, files, whats } = await exported(
    '<Card title="A" icon="/logo.svg">x</Card>\n<Card title="B" icon="🚀">x</Card>\n<Icon icon="heart" color="red;}*{display:none" size="9999" />\n<Icon icon={`"><script>`} />',
  )
  expect(html).toMatch(/<img src="media\/logo\.[\da-f]+\.svg" alt="" class="icon-picture"/)
  expect(html).toContain('<span class="icon-emoji" aria-hidden="true">🚀</span>')
  expect(html).toContain('<span class="icon ic-fa7-solid--heart" aria-hidden="true">')
  expect(html).not.toContain('script')
  expect(whats.some((what) => what.startsWith('the colour red;}'))).toBe(true)
  expect(linkProblems(files)).toEqual([])
})

test('any icon name yields no glyph, or one whose class name maps back to the same glyph', () => {
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'mdi:constructor', 'fa-brands fa-github', 'lucide:House'),
  )
  fc.assert(
    fc.property(words, fc.constantFrom('fontawesome', 'lucide', 'tabler'), (text, library) => {
      const icon = findIcon(text, library)
      if (icon === null) return
      expect(formatIconClass(icon)).toMatch(/^ic-[a-z\d-]+--[a-z\d-]+$/)
      expect(readIconClass(formatIconClass(icon))).toEqual({ set: icon.set, name: icon.name })
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['fontawesome/solid/house', 'fa7-solid--house'],
  ['material/account', 'mdi--account'],
  ['fa-brands fa-github', 'fa7-brands--github'],
  ['seti:folder', 'lucide--folder'],
  ['openBook', 'lucide--book-open'],
  ['mdi:constructor', null],
])('the icon name %s resolves to the glyph %s', (name, expected) => {
  const icon = findIcon(name, 'lucide')
  expect(icon && formatIconClass(icon)).toBe(expected && `ic-${expected}`)
})

test('every alternative icon name resolves to a glyph', () => {
  expect(Object.keys(otherNames).filter((name) => findIcon(name, 'fontawesome') === null)).toEqual([])
})
