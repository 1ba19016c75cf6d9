import { expect, test } from 'vitest'
import { findDirection } from '#site/language.ts'
import { exportFiles } from '#testing/site.ts'

type Files = Record<string, string>

/** Opening tag of each page, without what does not concern its language. */
const readTags = async (source: Files) => {
  const { files, report } = await exportFiles(source)
  const tags = [...files].flatMap(([name, html]) => {
    const [tag] = name.endsWith('.html') ? (/<html[^>]*>/.exec(html) ?? ['none']) : []
    return tag === undefined ? [] : [[name, tag.replace(/ data-[^>]*/, '')]]
  })
  return { tags: Object.fromEntries(tags) as Record<string, string>, report, files }
}
const rtl = (lang: string) => `<html lang="${lang}" dir="rtl">`
const ltr = (lang: string) => `<html lang="${lang}">`
const starlight = (options: string) => ({
  'astro.config.mjs': `import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'S', ${options} })] }`,
})
const docusaurus = (i18n: string) => ({
  'docusaurus.config.js': `module.exports = { title: 'D', i18n: ${i18n}, presets: [['classic', {}]] }`,
})

const projects: [string, Files, Record<string, string>][] = [
  [
    'Starlight',
    {
      ...starlight(`locales: { root: { label: 'عربي', lang: 'ar', dir: 'rtl' }, fr: { label: 'Français' } }`),
      'src/content/docs/index.md': '# A',
      'src/content/docs/fr/index.md': '# B',
    },
    { 'index.html': rtl('ar'), 'fr/index.html': ltr('fr'), '404.html': rtl('ar') },
  ],
  [
    'Starlight in one language',
    { ...starlight(`defaultLocale: 'ur'`), 'src/content/docs/index.md': '# A' },
    { 'index.html': rtl('ur') },
  ],
  [
    'VitePress',
    {
      '.vitepress/config.mts': `export default { title: 'V', lang: 'ar', dir: 'rtl', locales: { root: { label: 'AR', lang: 'ar' }, en: { label: 'EN', lang: 'en-GB', dir: 'ltr' } } }`,
      'index.md': '# A',
      'en/one.md': '# B',
    },
    { 'index.html': rtl('ar'), 'en/one.html': ltr('en-GB'), '404.html': rtl('ar') },
  ],
  [
    'Docusaurus',
    {
      ...docusaurus(
        `{ defaultLocale: 'ur', locales: ['ur', 'en', 'pa'], localeConfigs: { en: { htmlLang: 'en-US' }, pa: { direction: 'rtl' } } }`,
      ),
      'docs/one.md': '# A',
      'i18n/en/docusaurus-plugin-content-docs/current/one.md': '# B',
      'i18n/pa/docusaurus-plugin-content-docs/current/one.md': '# C',
    },
    { 'docs/one.html': rtl('ur'), 'en/docs/one.html': ltr('en-US'), 'pa/docs/one.html': rtl('pa') },
  ],
  [
    'Material for MkDocs',
    {
      'mkdocs.yml':
        'site_name: M\ntheme:\n  name: material\n  language: zh_TW\nextra:\n  alternate:\n    - { name: O, link: /other/ugc/, lang: ug }\n',
      'docs/index.md': '# A',
      'docs/ugc/one.md': '# B',
    },
    { 'index.html': ltr('zh-TW'), 'ugc/one.html': rtl('ug') },
  ],
  [
    'MkDocs with a direction',
    { 'mkdocs.yml': 'site_name: M\ntheme:\n  name: material\n  direction: rtl\n', 'docs/index.md': '# A' },
    { 'index.html': rtl('en') },
  ],
  [
    'mdBook',
    {
      'book.toml': '[book]\ntitle = "B"\nlanguage = "ku-Arab"\n',
      'src/SUMMARY.md': '- [A](a.md)',
      'src/a.md': '# A',
    },
    { 'a.html': rtl('ku-Arab'), 'index.html': rtl('ku-Arab') },
  ],
  [
    'mdBook with a direction',
    {
      'book.toml': '[book]\nlanguage = "ja"\ntext-direction = "rtl"\n',
      'src/SUMMARY.md': '- [A](a.md)',
      'src/a.md': '# A',
    },
    { 'a.html': rtl('ja') },
  ],
  [
    'docs.json',
    {
      'docs.json': JSON.stringify({
        name: 'N',
        redirects: [
          { source: '/old', destination: '/fa/one' },
          { source: '/away', destination: 'https://x.example/' },
        ],
        navigation: {
          languages: [
            { language: 'he', pages: ['one'] },
            { language: 'fa', pages: ['fa/one'] },
          ],
        },
      }),
      'one.md': '# A',
      'fa/one.md': '# B',
    },
    {
      'one.html': rtl('he'),
      'fa/one.html': rtl('fa'),
      'old.html': rtl('fa'),
      'away.html': rtl('he'),
      '404.html': rtl('he'),
      'index.html': rtl('he'),
    },
  ],
]

test.each(projects)(
  'every page of a %s site has the language and direction of its configuration',
  async (_, source, expected) => {
    const { tags, report } = await readTags(source)
    expect(tags).toMatchObject(expected)
    expect(report.lines.filter(({ what }) => /language|direction/.test(what))).toEqual([])
  },
)

test('the direction is that of the script in which a language is written', () => {
  const list = (text: string) => text.split(' ').map((tag) => [tag, findDirection(tag)])
  const rtl = 'ar fa he iw ur ckb ps sd yi dv ug ks nqo syr az-Arab pa-Arab pa-PK ku-Arab uz-AF ar-Arab-EG zh-Arab'
  expect(list(rtl).filter(([, dir]) => dir !== 'rtl')).toEqual([])
  const ltr = 'en pa az ku uz sd-Deva ar-Latn ks-Deva yi-Latn ja zh-TW und'
  expect(list(ltr).filter(([, dir]) => dir !== null)).toEqual([])
})

test('a page names its own language, a folder that of its pages, and letters only what is certain', async () => {
  const { tags } = await readTags({
    'one.md': '---\nlang: az-Arab\n---\n# A',
    'two.md': '---\nlanguage: ar\ndir: ltr\n---\n# A',
    'pt-BR/one.md': '# A',
    'sd/one.md': `# ا\n\n${'هي هڪ سنڌي دستاويز آهي. '.repeat(9)}`,
    'ug/one.md': '# User guide\n\nThis is how people who write English guides name their folder for user guides.',
    'three.md': `# ب\n\n${'هذه وثيقة باللغة العربية. '.repeat(9)}`,
    'four.md': `# 四\n\n${'設定ファイルを編集して、サーバーを再起動してください。'.repeat(4)}`,
    'five.md': `# Five\n\n${'Сделайте копию файла настроек. '.repeat(4)}`,
    'six.md': `# ו\n\n${'זהו מסמך בעברית על השרת. '.repeat(4)}`,
    'seven.md': '# Seven\n\nThis is a page in English with more than enough letters to be sure of its script.',
    'eight.md': `# Eight\n\n\`\`\`txt\n${'日本語の例です。'.repeat(30)}\n\`\`\`\n\nThis is a page in English with an example of Japanese text in it.`,
  })
  expect(tags).toMatchObject({
    'one.html': rtl('az-Arab'),
    'two.html': ltr('ar'),
    'pt-BR/one.html': ltr('pt-BR'),
    'sd/one.html': rtl('sd'),
    'ug/one.html': ltr('en'),
    'three.html': rtl('en'),
    'four.html': ltr('ja'),
    'five.html': ltr('en'),
    'six.html': rtl('he'),
    'seven.html': ltr('en'),
    'eight.html': ltr('en'),
    '404.html': ltr('en'),
  })
})

test('a short page of a site without a configured language has the language of the others', async () => {
  const korean = '설정 파일을 편집한 다음 서버를 다시 시작하십시오. '.repeat(4)
  const { tags } = await readTags({
    'one.md': `# 하나\n\n${korean}`,
    'two.md': `# 둘\n\n${korean}`,
    'three.md': '# API',
  })
  expect(tags).toMatchObject({ 'three.html': ltr('ko'), '404.html': ltr('ko'), 'index.html': ltr('ko') })
})

test('text that is no language tag breaks no page, and the report names it', async () => {
  const hostile = '"><script>alert(1)</script>'
  for (const source of [
    { ...docusaurus(`{ defaultLocale: ${JSON.stringify(hostile)}, locales: [] }`), 'docs/one.md': '# A' },
    {
      'mkdocs.yml': `site_name: M\ntheme: { name: material, language: '${hostile}', direction: up }`,
      'docs/one.md': '# A',
    },
    {
      'docs.json': JSON.stringify({ navigation: { languages: [{ language: hostile, pages: ['one'] }] } }),
      'one.md': '# A',
    },
    { 'one.md': `---\nlang: '${hostile}'\n---\n# A` },
    { 'one.md': '---\nlanguage: python\n---\n# A' },
  ] as Files[]) {
    const { tags, report, files } = await readTags(source)
    expect(Object.values(tags)).toEqual(Object.values(tags).map(() => ltr('en')))
    for (const [name, html] of files) if (name.endsWith('.html')) expect(html).not.toContain('<script>alert')
    expect(report.lines.map(({ what }) => what)).toContainEqual(expect.stringMatching(/is not a language tag/))
  }
})
