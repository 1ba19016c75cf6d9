import { expect, test } from 'vitest'
import { exportFiles, linkProblems, type WrittenFiles } from '#testing/site.ts'
import { openSearch } from '#testing/search.ts'
import { createTermReader } from './words.ts'

const searchIn = (files: WrittenFiles) => openSearch((file) => files.get(file))
const searched = async (pages: Readonly<Record<string, string>>) => searchIn((await exportFiles(pages)).files)

const harbour = {
  'docs.json': JSON.stringify({
    name: 'Harbour',
    navigation: [
      {
        versions: [
          { version: 'v2.0', pages: ['index', 'install', 'words'] },
          { version: 'v1.0', pages: ['v1/install'] },
        ],
      },
      'fr/install',
      'ko/install',
      'zh/install',
    ],
  }),
  'index.md': '# Harbour\n\nBoats are everywhere in this installation.\n\n<Missing />\n',
  'install.md':
    '# Installation\n\nBegin here.\n\n## Configure the pier\n\nEvery boat has a mooring.\n\n## Leave\n\nCall `getHTTPEntry`.\n',
  'words.md': '# Words\n\nCafé crème, ÜBER, ﬁle and max_tokens. A quay.\n\n- [Leave](#leave)\n\n## Leave\n\nGo.\n',
  'v1/install.md': '# Installation of old\n\nEvery old boat.\n',
  'fr/install.md': '# Installer\n\nChaque bateau. Installation complète.\n',
  'zh/install.md': '# 安装\n\n快速开始：安装第一个软件。速度不快。テストをする。\n',
  'ko/install.md': '# 설치\n\n설치하기 전에 읽으세요.\n',
}

let harbourExport: ReturnType<typeof exportFiles> | undefined
/** One export for the tests that only read it. */
const exported = () => (harbourExport ??= exportFiles(harbour))

test('a search covers only the reader’s language and version and loads only the files of that scope', async () => {
  const search = await searchIn((await exported()).files)
  const { all, scopes } = await search.start()
  expect(all).toBe('everything')
  expect(scopes.map(({ lang, version }) => `${lang} ${version}`)).toEqual([
    'en v2.0',
    'en v1.0',
    'fr null',
    'ko null',
    'zh null',
  ])
  expect((await search.find('installation')).files).toEqual(['install.html', 'index.html'])
  expect(search.loaded.every(({ file }) => /^_docket\/search\/(start\.js|0\/)/.test(file))).toBe(true)
  expect((await search.find('boat', 1)).files).toEqual(['v1/install.html'])
  expect((await search.find('installation', 2)).files).toEqual(['fr/install.html'])
})

test.each([
  ['the beginning of a word', 'instal', 'install.html'],
  ['a wrong letter', 'instellation', 'install.html'],
  ['swapped letters', 'moroing', 'install.html'],
  ['swapped first letters', 'obat', 'install.html'],
  ['a lost letter', 'moring', 'install.html'],
  ['no accents', 'cafe creme uber', 'words.html'],
  ['a ligature', 'file', 'words.html'],
  ['a part of camelCase', 'entry', 'install.html'],
  ['all of camelCase', 'gethttpentry', 'install.html'],
  ['a part of snake_case', 'tokens', 'words.html'],
  ['a heading, before text', 'mooring pier', 'install.html'],
  ['a word that is nowhere', 'zeppelin', null],
  ['a word that is nowhere beside one that is', 'zeppelin mooring', 'install.html'],
])('search with %s: “%s”', async (_, query, first) => {
  const search = await searchIn((await exported()).files)
  expect((await search.find(query)).files[0] ?? null).toBe(first)
})

test('in scripts without spaces, any part of a sentence is found, but only in its order', async () => {
  const search = await searchIn((await exported()).files)
  expect((await search.find('快速开始', 4)).count).toBe(1)
  expect((await search.find('第一', 4)).count).toBe(1)
  expect((await search.find('软', 4)).count).toBe(1)
  expect((await search.find('テスト', 4)).count).toBe(1)
  expect((await search.find('始开', 4)).count).toBe(0)
  expect((await search.find('설치', 3)).count).toBe(1)
  const { terms } = await search.find('快速开始', 4)
  expect(search.splitMarked('说快速开始：安装', terms)).toEqual(['说', '快速开始', '：安装'])
})

test('the search ignores placeholders, lists of headings and controls', async () => {
  const { files } = await exported()
  const search = await searchIn(files)
  expect(files.get('index.html')).toContain('interactive part')
  expect((await search.find('interactive')).count).toBe(0)
  expect((await search.find('copy')).count).toBe(0)
  const [page] = (await search.find('quay')).found
  expect(page!.sections).toEqual([
    ['', '', 'Café crème, ÜBER, ﬁle and max_tokens. A quay.'],
    ['leave', 'Leave', 'Go.'],
  ])
})

test('each search result links to its heading, and the words found are marked', async () => {
  const { files } = await exported()
  const search = await searchIn(files)
  const { found, terms } = await search.find('morings')
  const sections = found[0]!.sections.filter(([, , text]) => search.splitMarked(text, terms).length > 1)
  expect(sections.map(([id]) => id)).toEqual(['configure-the-pier'])
  expect(files.get('install.html')).toContain('id="configure-the-pier"')
  expect(search.splitMarked(sections[0]![2], terms)).toEqual(['Every boat has a ', 'mooring', '.'])
})

const hostile = {
  'index.md': '# `</script><script>alert(1)</script>`\n\nconstructor __proto__ toString \u2028 start\n',
  'proto.md': '# `__proto__`\n\nhasOwnProperty\n\n## `");docketSearch("start`\n\n```\n]]>\n```\n',
  'long.md': `# Long\n\n${'x'.repeat(5_000)} ${'𠀀'.repeat(3_000)} end\n`,
}

test('the search shows hostile page names and search words as plain text', async () => {
  const { files } = await exportFiles(hostile)
  expect(linkProblems(files)).toEqual([])
  const search = await searchIn(files)
  for (const word of ['constructor', '__proto__', 'hasOwnProperty', 'toString'])
    expect([word, (await search.find(word)).count > 0]).toEqual([word, true])
  const { found } = await search.find('alert')
  expect(found[0]!.title).toBe('</script><script>alert(1)</script>')
  expect((await search.find('valueOf')).count).toBe(0)
  expect((await search.find('end')).files).toEqual(['long.html'])
  expect((await search.find(`${'x'.repeat(5_000)}`)).files).toEqual(['long.html'])
  expect((await search.find('𠀀𠀀')).files).toEqual(['long.html'])
})

test('exporting a site twice gives the same search files, and a changed page changes only the file address of its scope', async () => {
  const one = await exported()
  const two = await exportFiles(harbour)
  expect(two.files).toEqual(one.files)
  const changed = await exportFiles({ ...harbour, 'fr/install.md': '# Installer\n\nAutrement.\n' })
  const digests = async (files: WrittenFiles) =>
    (await (await searchIn(files)).start()).scopes.map(({ digest }) => digest)
  const [before, after] = [await digests(one.files), await digests(changed.files)]
  expect(before.map((digest, index) => digest === after[index])).toEqual([true, true, false, true, true])
})

test('a damaged or missing file fails the search, and a later search tries again', async () => {
  const { files } = await exported()
  const broken = new Map(files)
  const search = await searchIn(broken)
  for (const [name, content] of [
    ['_docket/search/0/terms-0.js', 'docketSearch("0/terms-0",'],
    ['_docket/search/start.js', undefined],
  ] as const) {
    const fresh = await searchIn(broken)
    if (content === undefined) broken.delete(name)
    else broken.set(name, content)
    await expect(fresh.find('boat')).rejects.toThrow()
    broken.set(name, files.get(name)!)
    expect((await fresh.find('boat')).count).toBe(2)
  }
  expect((await search.find('boat')).count).toBe(2)
})

test('folders with the same pages are versions, and other folders are parts of the site', async () => {
  const page = '# A page\n'
  const names = ['a', 'b', 'c']
  const copies = (folder: string) => Object.fromEntries(names.map((name) => [`${folder}${name}.md`, page]))
  const list = async (pages: Readonly<Record<string, string>>) =>
    (await (await searched(pages)).start()).scopes.map(({ version }) => version)
  expect(await list({ ...copies(''), ...copies('v1/'), ...copies('2.x/') })).toEqual([null, '2.x', 'v1'])
  expect(await list({ ...copies(''), 'changes/v1.0/first.md': page, 'changes/v2.0/second.md': page })).toEqual([null])
})

test('the browser and the export split text into the same search terms', async () => {
  const text =
    'Café ÜBER İstanbul ﬁle ｆｕｌｌ ﾃｽﾄ ½ max_tokens @scope/name v2.0 快速,开始 안녕하세요 สวัสดีครับ हिन्दी العربية شدّ الحِبال شَـدّ שָׁלוֹם ' +
    `a\u0301 e\u0301te\u0301 ß ſ ªº ${'long'.repeat(20)} ${'𠀀'.repeat(3)} ﷺ x²`
  const terms: string[] = []
  const reader = createTermReader()
  reader.read(text, (term) => terms.push(reader.terms[term]!))
  const { splitTerms } = await searched({ 'index.md': '# Home\n' })
  expect([...splitTerms(text)]).toEqual(terms)
  // Most people write no vowels.
  expect(terms).toEqual(expect.arrayContaining(['شد', 'الحبال', 'שלום']))
  expect(terms.length).toBeGreaterThan(35)
})
