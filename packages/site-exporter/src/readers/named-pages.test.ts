import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSource } from '@docket/sources/site-source'
import { createSiteSources } from '@docket/sources/site-sources'
import { openSourceFolder } from '@docket/sources/source-folder'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { bareRepository } from '@docket/sources/testing/git-server'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openSource } from '#open-source.ts'
import { limits } from '#site/limits.ts'
import { collectPageFiles } from '#site/page-paths.ts'
import { listPages } from '#site/source-page.ts'
import { exportFiles, exportFolder, exportOpened } from '#testing/site.ts'
import { readSite } from './read-site.ts'

type Files = Readonly<Record<string, string>>

const read = async (files: Files) => readSite(await openSourceFolder(await writeFolder(files)), 'Fallback')

/** Names that rules, limits or addresses have treated specially. */
const nasty =
  'build dist vendor coverage tmp README CHANGELOG CONTRIBUTING index snippets _part C C++ C# API api .NET guide a+b a&b 1.10 con'
    .split(' ')
    .concat('a b', 'é', 'e\u0301', '日本', 'x'.repeat(100), `${'x'.repeat(100)}y`)
const name = fc.constantFrom(...nasty)
const place = fc
  .tuple(fc.array(name, { maxLength: 3 }), name)
  .map(([folders, own]) => [...folders.filter((folder) => !folder.startsWith('.')), own].join('/'))
const places = fc.uniqueArray(place, { minLength: 1, maxLength: 12 })

const output = {
  'docs/home.md': '# Home',
  'home.md': '# Home',
  'dist/a.js': '',
  'dist/b.js': '',
  'build/c.html': '',
  'vendor/x/y.go': '',
  'dist/OTHER.md': '# Other',
}
const write = (paths: readonly string[], toFile: (path: string) => string): Files =>
  Object.fromEntries(paths.map((path) => [toFile(path), `# ${path}\n`]))

/** Sources of each tool whose navigation names all `paths`. */
const tools: Record<string, { toFile: (path: string) => string; toFiles: (paths: readonly string[]) => Files }> = {
  'docs.json': {
    toFile: (path) => `${path}.mdx`,
    toFiles: (paths) => ({ 'docs.json': JSON.stringify({ navigation: { pages: [{ group: 'All', pages: paths }] } }) }),
  },
  'mint.json': {
    toFile: (path) => `${path}.md`,
    toFiles: (paths) => ({ 'mint.json': JSON.stringify({ navigation: [{ group: 'All', pages: paths }] }) }),
  },
  MkDocs: {
    toFile: (path) => `docs/${path}.md`,
    toFiles: (paths) => ({ 'mkdocs.yml': JSON.stringify({ nav: paths.map((path) => `${path}.md`) }) }),
  },
  'SUMMARY.md': {
    toFile: (path) => `${path}.md`,
    toFiles: (paths) => ({
      'SUMMARY.md': `# Summary\n\n${paths.map((path, at) => `- [${at}](<${encodeURI(path).replaceAll('#', '%23')}.md>)`).join('\n')}\n`,
    }),
  },
  Docusaurus: {
    toFile: (path) => `docs/${path}.md`,
    toFiles: (paths) => ({
      'docusaurus.config.js': `module.exports = { title: 'T', presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] }`,
      'sidebars.js': `module.exports = ${JSON.stringify({ docs: paths })}`,
    }),
  },
}

test.each(Object.entries(tools))(
  'every entry of the navigation of %s whose file exists is a page, or the report names the rule that left it out',
  async (tool, { toFile, toFiles }) => {
    await fc.assert(
      fc.asyncProperty(places, async (paths) => {
        const site = await read({ ...output, ...write(paths, toFile), ...toFiles(paths) })
        const listed = site.nav.flatMap(listPages).map((path) => site.pages.get(path)!.file)
        // Docusaurus gives several names to one doc, so only the pages themselves count.
        const made = tool === 'Docusaurus' ? [...site.pages.values()].map(({ file }) => file) : listed
        for (const path of paths.filter((one) => !made.includes(toFile(one)))) {
          const reasons = site.leftOut
            .filter(({ file }) => [path, toFile(path)].includes(file))
            .map(({ reason }) => reason)
          expect([path, reasons]).toEqual([path, [expect.not.stringContaining('no such page')]])
          expect(tool).toBe('Docusaurus')
        }
        expect(site.leftOut.filter(({ reason }) => reason.includes('no such page'))).toEqual([])
      }),
      { numRuns: 60 },
    )
  },
)

const oddNames = [
  ...nasty,
  'a.md',
  'a.html',
  'b.c',
  '100%',
  '%20',
  'a%20b',
  ' a',
  'Index',
  'README',
  'a?b',
  'a#b',
  '[id]',
]
  .concat('404', '__proto__', '...x', '📄', 'SUMMARY', 'GET x', 'node_modules', '.hidden', 'a:b', 'A', 'a')
  .map((text) => text.replace('build', 'dist'))
const oddPage = fc.record({
  path: fc.array(fc.constantFrom(...oddNames), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  ending: fc.constantFrom('.mdx', '.md', '.MD'),
  text: fc.constantFrom(
    '# A\n',
    '',
    '---\ndraft: true\n---\n',
    'x'.repeat(1 << 21),
    '---\nurl: https://x.example\n---\n',
  ),
  spell: fc.constantFrom('$', '/$', './$', '$/', '$.md'),
  shape: fc.constantFrom(
    '"$"',
    '{"group":"G","pages":["$"]}',
    '{"group":"G","root":"$","pages":[]}',
    '{"$ref":"./ref/@.json"}',
    '{"group":"G","pages":["$","$",{"group":"H","pages":["$"]}]}',
    '{"group":"G","pages":[{"pages":[{"pages":["$"]}]}]}',
    ...'tab version language dropdown anchor product'.split(' ').map((kind) => `{"${kind}":"de","pages":["$"]}`),
  ),
})

test('whatever a page is called, and wherever docs.json names it, it is a page, or the report says why not', async () => {
  const sources = fc.tuple(
    fc.uniqueArray(oddPage, { minLength: 1, maxLength: 8, selector: ({ path }) => path }),
    fc.boolean(),
  )
  await fc.assert(
    fc.asyncProperty(sources, async ([pages, isMoved]) => {
      const files: Record<string, string> = {}
      const entries = pages.map(({ path, ending, text, spell, shape }, at) => {
        const name = spell.replace('$', () => path)
        const entry = JSON.stringify(JSON.parse(shape.replaceAll('@', String(at)))).replaceAll('"$"', () =>
          JSON.stringify(name),
        )
        if (shape.includes('@')) files[`ref/${at}.json`] = JSON.stringify({ group: 'G', pages: [name] })
        files[path + ending] = text
        return { name, file: path + ending, entry }
      })
      const folders = new Set(
        Object.keys(files).flatMap((file) =>
          file
            .split('/')
            .slice(0, -1)
            .map((_, at, parts) => parts.slice(0, at + 1).join('/')),
        ),
      )
      fc.pre(!Object.keys(files).some((file) => folders.has(file)))
      const groups = entries.map(({ entry }) => `{"group":"Z","pages":[${entry}]}`).join()
      const redirects = isMoved ? entries.map(({ name }) => ({ source: `/${name}`, destination: '/elsewhere' })) : []
      const docs = `{"navigation":{"groups":[${groups}]},"redirects":${JSON.stringify(redirects)}}`
      const site = await read({ ...files, 'home.md': '# Home', 'docs.json': docs })
      const made = [...site.pages.values(), ...site.hidden.values()].map((page) => page.file)
      for (const { name, file } of entries) {
        const lines = site.leftOut.filter((line) => [file, name, name.trim()].includes(line.file))
        const reasons = lines.map(({ reason }) => reason)
        const isSaid = reasons.length > 0 && !reasons.some((reason) => reason.includes('no such page'))
        if (!made.includes(file)) expect({ file, reasons, isSaid }).toMatchObject({ isSaid: true })
      }
    }),
    { numRuns: Number(process.env['SAMPLES'] ?? 40) },
  )
})

/** Text of the page that a link on the page `from` leads to. */
const follow = (files: ReadonlyMap<string, string>, from: string, label: string) => {
  const href = new RegExp(`<a href="([^"]*)">${label.replaceAll('+', '\\+')}</a>`).exec(files.get(from)!)?.[1]
  return href === undefined ? null : files.get(join(from, '..', decodeURIComponent(href)))
}

test('pages whose names give one address all stay, the plain name keeps it, and links lead to the right one', async () => {
  const langs = ['C', 'C++', 'C#']
  const link = (path: string) => `[to ${path.replace('#', ' sharp')}](<${path.replace('#', '%23')}.md>)`
  const { files, report } = await exportFiles({
    'index.md': `# Home\n\n${langs.map((lang) => link(`lang/${lang}`)).join(' ')} ${link('API')} ${link('api')}`,
    ...write(
      [...langs.map((lang) => `lang/${lang}`), 'lang/c-2', 'API', 'api', 'C#/in', 'C/in'],
      (path) => `${path}.md`,
    ),
  })
  expect([...files.keys()].filter((file) => /^(lang|api|c)\b.*html$/i.test(file)).toSorted()).toEqual(
    ['API', 'C/in-2', 'C/in', 'api-2', 'lang/C-3', 'lang/C-4', 'lang/C', 'lang/c-2'].map((path) => `${path}.html`),
  )
  expect(files.get('lang/C.html')).toContain('<title>lang/C · ')
  expect(follow(files, 'index.html', 'to lang/C++')).toContain('<title>lang/C++ · ')
  expect(follow(files, 'index.html', 'to lang/C sharp')).toContain('<title>lang/C# · ')
  expect(follow(files, 'index.html', 'to api')).toContain('<title>api · ')
  expect(report.lines.map(({ file, kind, what }) => `${kind} ${file}: ${what}`)).toContain(
    'left-out lang/C++.md: its page has the address lang/C-4, because lang/C.md has lang/C',
  )
})

test('a folder called build is content if it holds mostly Markdown, and build output otherwise, with one line', async () => {
  const { files, report } = await exportFiles({
    'index.md': '# Home\n\n![](build/a.png) ![](.gitbook/assets/b.png)',
    'build/linux.md': '# Linux',
    'build/a.png': 'png',
    '.gitbook/assets/b.png': 'png!',
    'packages/x/dist/readme.md': '# Copy',
    'packages/x/dist/other.md': '# Copy',
    'packages/x/dist/a.js': '',
    'packages/x/dist/b.js': '',
    'packages/x/dist/c.js': '',
    'packages/x/.hidden.md': '# Hidden',
  })
  expect([...files.keys()].filter((file) => /^(build|packages)/.test(file))).toEqual([
    'build/linux.html',
    'build/linux.md',
  ])
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    expect.stringMatching(/^packages\/x\/dist\/: its name and its 3 files besides Markdown are those of build output/),
    'packages/x/.hidden.md: its name begins with a dot, and no entry names it',
  ])
})

test('what the navigation, a link or a picture misses has the true reason in the report', async () => {
  const { report } = await exportFiles({
    'docs.json': JSON.stringify({
      navigation: { pages: ['index', 'notes', 'big', 'secret/x', 'node_modules/y', 'gone'] },
    }),
    '.mintignore': 'secret/\n',
    'index.mdx': '[out](../LICENSE.md) [hidden](.private/a.md) ![](node_modules/z/a.png) ![](none.png)',
    'notes.ipynb': '{}',
    'big.mdx': 'x'.repeat(1024 * 1024 + 1),
    'secret/x.mdx': 'x',
    '.private/a.md': 'x',
    'node_modules/y.mdx': 'y',
    'node_modules/z/a.png': 'png',
  })
  const lines = report.lines.map(({ file, page, what }) => `${page ?? file}: ${what}`)
  for (const line of [
    'notes: the navigation names it, and notes.ipynb is no page for its tool',
    'big: the navigation names it, and it cannot be read, or has more than 1024 kB',
    'secret/x: the navigation names it, and .mintignore names it',
    'node_modules/y: the navigation names it, and it is in a folder of dependencies',
    'gone: the navigation names it, and there is no such page',
    'index: ../LICENSE.md: it is outside of the folder',
    'index: .private/a.md: its name, or that of its folder, begins with a dot',
    'index: node_modules/z/a.png: it is in a folder of dependencies',
    'index: none.png: there is no such file',
  ])
    expect(lines).toContain(line)
})

const many = (count: number, folder: string) => Array.from({ length: count }, (_, at) => `${folder}/${at}.md`)
const anyPage = { root: '', reasonAgainst: () => null }

test('over the limit of pages, an export keeps what the navigation names or fails: it never drops such a page', () => {
  const files = [...many(limits.pages, 'a'), ...many(10, 'z')]
  const entries = many(10, 'z').map((file) => file.replace('.md', ''))
  const { pages, leftOut } = collectPageFiles(files, anyPage, { entries, isAll: true })
  expect(pages.map(({ path }) => path)).toEqual(entries)
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    `${limits.pages} files have no entry, and a site may have ${limits.pages} pages`,
  ])
  for (const named of [
    { entries, isAll: false },
    { entries: files, isAll: true },
  ])
    expect(() => collectPageFiles(files, anyPage, named)).toThrow(
      `The source has ${limits.pages + 10} pages, and a site may have ${limits.pages}. Export a folder inside it`,
    )
})

const withImports = {
  'docs/mkdocs.yml': 'nav: [index.md]',
  'docs/docs/index.md': '# Home\n\n![](../../img/p.png)\n\n--8<-- "../../examples/a.py"\n\n--8<-- "gone.py"\n',
  'examples/a.py': 'print("from the repository")',
  'img/p.png': 'png',
}

test('a folder of a repository imports and shows files from the rest of it, and nothing from outside of it', async () => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), withImports)
  const sources = createSiteSources(await temporaryFolder(), [])
  onTestFinished(() => sources.close())
  const ordered = await sources.order(parseSource(`git+file://${gitDir}#main:docs`), null, '')
  const scratch = await temporaryFolder()
  await writeFile(join(scratch, 'secret.txt'), 'secret')
  const { folder } = await openSource(ordered, scratch, () => Promise.resolve())
  expect([...folder.files]).toEqual(['docs/index.md', 'mkdocs.yml'])
  expect(await folder.read('../../secret.txt', 100)).toBeNull()
  expect(folder.explain('../../secret.txt')).toBe('it is outside of the folder')
  const { files, report } = await exportOpened(folder)
  expect(files.get('index.html')).toContain('from the repository')
  expect([...files.keys()]).toContainEqual(expect.stringMatching(/^media\/p\./))
  expect(report.lines.map(({ what }) => what)).toEqual(['the include gone.py: there is no such file'])
})

test('a folder that is no repository is not left, and the report says so for each file', async () => {
  const { report } = await exportFolder(join(await writeFolder(withImports), 'docs'))
  expect(report.lines.map(({ what }) => what)).toEqual([
    'the include ../../examples/a.py: it is outside of the folder',
    'the include gone.py: there is no such file',
    '../../img/p.png: it is outside of the folder',
  ])
})

test('code that an import does not provide leaves a visible gap, and the report says why', async () => {
  const { files, report } = await exportFiles({
    'index.mdx': `import x from '../examples/a.ts?raw'\n\n# Home\n\n<Code lang="ts" code={x} />\n`,
  })
  expect(files.get('index.html')).toContain('This code is not in this copy.')
  expect(report.lines.map(({ what }) => what)).toContain('the import ../examples/a.ts?raw: it is outside of the folder')
})

test('a file of the source that an import names and the source lacks is said, and a package or a style sheet is not', async () => {
  const imports = ['./gone.mdx', '/snippets/gone.mdx', './gone', './there.css', './there.yml', 'package', '@theme/Tabs']
  const { report } = await exportFiles({
    'docs.json': '{"navigation": {"pages": ["index"]}}',
    'index.mdx': `${imports.map((name, at) => `import X${at} from '${name}'\n`).join('')}\n# Home\n\n<X0 />\n`,
    'there.css': 'a { color: red }',
    'there.yml': 'a: 1',
  })
  const said = report.lines.map(({ what }) => what).filter((what) => what.startsWith('the import'))
  expect(said).toEqual(imports.slice(0, 3).map((name) => `the import ${name}: there is no such file`))
})
