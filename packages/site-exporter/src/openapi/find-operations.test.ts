import { openSourceFolder } from '@docket/sources/source-folder'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { readSite } from '#readers/read-site.ts'
import { exportFiles, linkProblems } from '#testing/site.ts'

const json = (value: unknown) => JSON.stringify(value)
const buildDocument = (summary: string, more: object = {}) => ({
  info: { title: summary, version: '1' },
  paths: { '/links': { post: { summary, responses: { '204': { description: 'Done' } } } } },
  ...more,
  openapi: '3.1.0',
})
const navigation = { pages: ['create', 'gone', 'thing', 'no-thing', 'channel'] }

test('an OpenAPI document is found in any folder under any name, and a page whose operation is missing shows a notice', async () => {
  const { files, report } = await exportFiles({
    'docs.json': json({ navigation: { ...navigation, tabs: [{ tab: 'Events', asyncapi: '/events.yaml' }] } }),
    'create.mdx': '---\nopenapi: v1-final post /links\n---\n',
    'gone.mdx': '---\ntitle: Gone\nopenapi: GET /gone\n---\n\nOwn text.\n',
    'thing.mdx': '---\ntitle: Thing\nopenapi-schema: Thing\n---\n\nA thing.\n',
    'no-thing.mdx': '---\ntitle: No thing\nopenapi-schema: __proto__\n---\n',
    'channel.mdx': '---\ntitle: Channel\nasyncapi: events.yaml lights\n---\n\nIts own words.\n',
    'deep/er/than/prepared/v1-final.json': json(
      buildDocument('Create a link', {
        components: { schemas: { Thing: { properties: { size: { type: 'integer', example: 42 } } } } },
      }),
    ),
    'events.yaml': 'asyncapi: 3.0.0\n',
    'more/events.json': json({ asyncapi: '2.6.0' }),
    'data.json': json({ about: { openapi: '3.0.0' } }),
  })
  expect(files.get('create.html')).toContain('Create a link</h1>')
  expect(files.get('create.html')).not.toContain('not-here')
  expect(files.get('gone.html')).toMatch(
    /role="note"><p class="callout-title">Not in this copy<.*<code>GET \/gone<\/code>/,
  )
  expect(files.get('gone.html')).toContain('Own text.')
  expect(files.get('thing.html')).toMatch(/A thing\..*size<\/code>.*integer.*42/s)
  expect(files.get('no-thing.html')).toContain('Not in this copy')
  expect(files.get('channel.html')).toMatch(
    /Not in this copy<.*<code>events.yaml lights<\/code> is described as AsyncAPI.*own words/s,
  )
  expect(linkProblems(files)).toEqual([])
  const remarks = report.lines.map(({ file, what }) => `${file}: ${what}`)
  for (const expected of [
    'gone.mdx: its operation is in no OpenAPI document',
    'channel.mdx: its channel is described as AsyncAPI, which has no pages',
    'no-thing.mdx: its schema is in no OpenAPI document',
    'events.yaml: it describes an API of messages (AsyncAPI), and its channels have no pages',
    'more/events.json: it describes an API of messages (AsyncAPI), and its channels have no pages',
  ])
    expect(remarks).toContain(expected)
  expect(remarks.filter((line) => line.startsWith('data.json'))).toEqual([])
})

test('without docs.json, any OpenAPI document gets pages unless it is among tests or examples', async () => {
  const { files } = await exportFiles({
    'index.md': '# Home\n',
    'deep/er/than/usual/api.yaml': json(buildDocument('From afar')),
    'test/fixtures/pets.json': json(buildDocument('From a test')),
  })
  expect([...files.keys()].filter((name) => name.endsWith('.html') && name.startsWith('api-reference/'))).toEqual([
    'api-reference/from-afar.html',
  ])
})

test('an OpenAPI document on another host is read if the host is allowed, and reported otherwise', async () => {
  const folder = await openSourceFolder(
    await writeFolder({
      'docs.json': json({ openapi: 'https://api.example.com/v1?x=1', navigation: { pages: ['create'] } }),
      'create.mdx': '---\nopenapi: post /links\n---\n',
    }),
  )
  const asked: string[] = []
  const site = await readSite(folder, 'Test', {
    readRemote: (address) => {
      asked.push(address)
      return Promise.resolve({ content: Buffer.from(json(buildDocument('Remote'))), type: 'application/json' })
    },
  })
  expect(asked).toEqual(['https://api.example.com/v1?x=1'])
  expect(site.pages.get('create')!.title).toBe('Remote')
  const refused = await readSite(folder, 'Test', { readRemote: () => Promise.resolve({ problem: 'it answers 404' }) })
  expect(refused.pages.get('create')!.missing).toEqual({ part: 'operation', name: 'post /links' })
  expect(refused.leftOut).toContainEqual({
    file: 'https://api.example.com/v1?x=1',
    reason: 'it is on another host: it answers 404',
  })
})
