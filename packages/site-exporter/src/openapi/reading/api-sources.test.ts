import { openSourceFolder } from '@docket/sources/source-folder'
import { writeFolder } from '@docket/sources/testing/files'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readSite } from '#readers/read-site.ts'
import { listPages } from '#site/source-page.ts'

type Files = Record<string, string>

const json = (value: unknown) => JSON.stringify(value)
const get = (summary: string, more: object = {}) => ({ get: { summary, responses: {}, ...more } })
const buildDocument = (title: string, paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  paths,
  ...more,
})
const read = async (files: Files) => {
  const site = await readSite(await openSourceFolder(await writeFolder({ 'index.md': '# Home\n', ...files })), 'Test')
  const operations = Map.groupBy(site.operations.values(), ({ document }) => document.file)
  return { ...site, pagesOf: (file: string) => operations.get(file)?.length ?? 0 }
}
const megabyte = 1024 * 1024
/** A document of that size. */
const pad = (text: string, bytes: number) => text.replace('{', `{${' '.repeat(bytes - text.length)}`)

test('operations that x-excluded leaves out, and documents in build output that nothing names, have a line', async () => {
  const api = json(buildDocument('A', { '/a': { ...get('Shown'), post: { 'x-excluded': true } } }))
  const output = { 'dist/openapi.json': api, 'dist/a.js': '', 'dist/b.js': '' }
  const list = async (files: Files) => {
    const site = await read(files)
    return [site.pagesOf('dist/openapi.json'), site.leftOut.map(({ file, reason }) => `${file}: ${reason}`)]
  }
  const skipped =
    'dist/openapi.json: its name and its 3 files besides Markdown are those of build output, so only what the navigation names in it is read'
  expect(await list(output)).toEqual([0, [skipped]])
  expect(await list({ ...output, 'docs.json': json({ navigation: ['index'] }) })).toEqual([0, [skipped]])
  const named = { group: 'API', openapi: 'dist/openapi.json' }
  expect(await list({ ...output, 'docs.json': json({ navigation: ['index', named] }) })).toEqual([
    1,
    ['dist/openapi.json: its `x-excluded` leaves out 1 operation, such as POST /a'],
  ])
})

const kinds = [
  'json',
  'yaml',
  'twin',
  'broken json',
  'broken yaml',
  'swagger',
  'references',
  'example',
  'named',
] as const

const buildFiles = (kind: (typeof kinds)[number], index: number, count: number): Files => {
  const paths = Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${index}/${at}`, get(`Get ${at}`)]))
  const document = buildDocument(`API ${index % 3}`, paths)
  switch (kind) {
    case 'json':
      return { [`json/${index}.json`]: json(document) }
    case 'yaml':
      return { [`yaml/${index}.yaml`]: stringify(document) }
    case 'twin':
      return { [`json/${index}.json`]: json(document), [`yaml/${index}.yaml`]: stringify(document) }
    case 'broken json':
      return { [`${index}.json`]: json({ components: {}, ...document }).slice(0, -2) }
    case 'broken yaml':
      return { [`${index}.yml`]: `${stringify(document)}\n  }` }
    case 'swagger':
      return { [`${index}.json`]: json({ swagger: '2.0', paths }) }
    case 'references':
      return { [`${index}.json`]: json(buildDocument('Split', { ...paths, '/far': { $ref: './far.yaml' } })) }
    case 'example':
      return { [`examples/${index}.json`]: json(document) }
    case 'named':
      return {
        [`api-${index}.json`]: json(document),
        [`page-${index}.mdx`]: `---\nopenapi: api-${index}.json GET /${index}/0\n---\n`,
      }
  }
}

test('each operation of each document has a page, or the report has a line about its document', async () => {
  const entry = fc.record({ kind: fc.constantFrom(...kinds), count: fc.integer({ min: 1, max: 3 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 12 }), fc.boolean(), async (entries, isDocsJson) => {
      const files = Object.assign({}, ...entries.map(({ kind, count }, at) => buildFiles(kind, at, count))) as Files
      const docs = { navigation: { groups: [{ group: 'All', pages: ['index'], openapi: 'json/0.json' }] } }
      const { pagesOf, leftOut } = await read(isDocsJson ? { ...files, 'docs.json': json(docs) } : files)
      for (const [file, content] of Object.entries(files)) {
        if (!/\.(json|ya?ml)$/.test(file)) continue
        const count = content.match(/summary/g)?.length ?? 0
        const isWhole = pagesOf(file) === count && !content.includes('far.yaml')
        expect([file, isWhole || leftOut.some((line) => line.file === file)]).toEqual([file, true])
      }
    }),
    { numRuns: 40 },
  )
})

test('126 documents are read in full, and the YAML twin of each is left out with one line', async () => {
  const files: Files = {}
  const paths = { '/a': { ...get('A'), parameters: [{ name: 'x', in: 'query' }] }, '/b': get('B', { tags: ['T'] }) }
  for (let index = 0; index < 126; index++) {
    const document = buildDocument(`API ${index % 40}`, paths, { info: { title: `API ${index % 40}`, version: index } })
    files[`json/service-v${index}.json`] = json(document)
    files[`yaml/service-v${index}.yaml`] = stringify(document)
  }
  const { pagesOf, leftOut, nav } = await read(files)
  for (const file of Object.keys(files)) expect([file, pagesOf(file)]).toEqual([file, file.endsWith('.json') ? 2 : 0])
  expect(leftOut.map(({ file }) => file).toSorted()).toEqual(
    Object.keys(files)
      .filter((file) => file.endsWith('.yaml'))
      .toSorted(),
  )
  expect(leftOut[0]!.reason).toMatch(/^it has the title, version and operations of json\/service-v\d+\.json$/)
  const titles = nav.map((node) => (node.kind === 'group' ? node.title : ''))
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles).toContain('API 3 (83)')
})

test('a YAML file that shares only its name with a JSON file, or only its paths, is read', async () => {
  const document = buildDocument('One', { '/a': get('A') })
  const { pagesOf, leftOut } = await read({
    'api.json': json(document),
    'api.yaml': stringify(buildDocument('One', { '/b': get('B') })),
    'other.yaml': stringify(buildDocument('Other', { '/a': get('A') })),
    'more.yaml': stringify(buildDocument('One', { '/a': { ...get('A'), post: {} } })),
    'flow.yaml': json(document),
  })
  expect(['api.json', 'api.yaml', 'other.yaml', 'more.yaml'].map(pagesOf)).toEqual([1, 1, 1, 2])
  expect(leftOut.map(({ file }) => file)).toEqual(['flow.yaml'])
})

test('four documents in each of 35 versions are all read', async () => {
  const files: Files = {}
  const versions = Array.from({ length: 35 }, (_, index) => `v${index}`)
  const names = ['en', 'pt', 'ko', 'ar']
  for (const version of versions) {
    for (const name of names) {
      files[`${version}/api.${name}.yaml`] = stringify(buildDocument('API', { '/a': get('A'), '/b': get('B') }))
      files[`${version}/${name}/a.mdx`] = `---\nopenapi: /${version}/api.${name}.yaml GET /a\n---\n`
    }
  }
  files['docs.json'] = json({
    navigation: {
      versions: versions.map((version) => ({
        version,
        groups: names.map((name) => ({
          group: name,
          openapi: `${version}/api.${name}.yaml`,
          pages: [`${version}/${name}/a`, 'GET /b'],
        })),
      })),
    },
  })
  const { pagesOf, pages, leftOut } = await read(files)
  expect(Object.keys(files).filter((file) => file.endsWith('.yaml') && pagesOf(file) !== 2)).toEqual([])
  expect([...pages.values()].filter(({ missing }) => missing !== undefined)).toEqual([])
  expect(leftOut).toEqual([])
})

test('a document over a limit is named with the limit, also by the page and the navigation that name its operation', async () => {
  const big = (name: string) => pad(json(buildDocument(name, { [`/${name}`]: get(name) })), 15 * megabyte)
  const names = Array.from({ length: 7 }, (_, index) => `part-${index}`)
  const { pagesOf, pages, leftOut, nav } = await read({
    ...Object.fromEntries(names.map((name) => [`${name}.json`, big(name)])),
    'huge.json': pad(json(buildDocument('Huge', { '/huge': get('Huge') })), 17 * megabyte),
    'in-part.mdx': '---\nopenapi: GET /part-6\n---\n',
    'in-huge.mdx': '---\nopenapi: huge.json GET /huge\n---\n',
    'in-zero.mdx': '---\nopenapi: GET /part-0\n---\n',
    'docs.json': json({
      openapi: [...names, 'huge'].map((name) => `${name}.json`),
      navigation: { pages: ['in-part', 'in-huge', 'in-zero', 'GET /part-1', 'GET /part-6'] },
    }),
  })
  expect(['part-0.json', 'part-1.json', 'part-6.json', 'huge.json'].map(pagesOf)).toEqual([1, 1, 0, 0])
  const total = 'with it, the OpenAPI documents would have more than 96 MB'
  expect(leftOut).toContainEqual({ file: 'part-6.json', reason: total })
  expect(leftOut).toContainEqual({ file: 'huge.json', reason: 'it cannot be read, or has more than 16 MB' })
  expect(leftOut).toContainEqual({ file: 'GET /part-6', reason: expect.stringContaining(`part-6.json: ${total}`) })
  expect(pages.get('in-part')!.problem).toContain(`part-6.json: ${total}`)
  expect(pages.get('in-huge')).toMatchObject({
    missing: { part: 'operation', name: 'huge.json GET /huge' },
    problem: expect.stringContaining('huge.json: it cannot be read, or has more than 16 MB'),
  })
  expect(pages.get('in-zero')!.missing).toBeUndefined()
  expect(nav.flatMap(listPages)).toContain('api-reference/part-1')
})

test('documents and groups of tags with one name get names that tell them apart', async () => {
  const tagged = (title: string, version: string) =>
    json(buildDocument(title, { '/a': get('A', { tags: ['Pets'] }) }, { info: { title, version } }))
  const listTitles = async (files: Files) => {
    const titles: string[] = []
    const walk = (nodes: Awaited<ReturnType<typeof read>>['nav']) => {
      for (const node of nodes) {
        if (node.kind !== 'group') continue
        titles.push(node.title)
        walk(node.children)
      }
    }
    walk((await read(files)).nav)
    return titles
  }
  const files = { 'a.json': tagged('Store', '1'), 'b.json': tagged('Store', '2'), 'c.json': tagged('Zoo', '2') }
  expect((await listTitles(files)).filter((title) => title !== 'Pets')).toEqual(['Store (1)', 'Store (2)', 'Zoo'])
  expect(await listTitles({ 'a.json': files['a.json'], 'x/b.json': files['a.json'] })).toContain('Store (b)')
  expect(
    await listTitles({
      ...files,
      'docs.json': json({ navigation: { tabs: [{ tab: 'API', openapi: Object.keys(files) }] } }),
    }),
  ).toEqual(['API', 'Pets (a)', 'Pets (b)', 'Pets (c)'])
})
