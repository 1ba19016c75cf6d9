import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const operation = (more: object = {}) => ({ responses: { '204': { description: 'Done' } }, ...more })
const buildDocument = (more: object) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {},
  ...more,
})
const json = (value: unknown) => JSON.stringify(value)

/** Visible text of a page. */
const readText = (html: string | undefined) =>
  /<article>([\s\S]*)<\/article>/
    .exec(html ?? '')![1]!
    .replace(/<\/?span[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x3C;', '<')
    .replace(/\s+/g, ' ')

const things = buildDocument({
  servers: [{ url: 'https://{region}.example.com/v2/', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }],
  tags: [{ name: 'things', 'x-group': 'All things' }],
  paths: {
    '/things': {
      get: operation({
        tags: ['things'],
        summary: 'List things',
        description: 'Lists **all** [things](https://example.com).',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: true,
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          },
          { $ref: '#/components/parameters/Trace' },
        ],
        responses: {
          '200': {
            description: 'A page of things',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      }),
      post: operation({
        tags: ['things'],
        operationId: 'createThing',
        deprecated: true,
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
      }),
    },
    '/things/{id}': {
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' }, example: 'a/b' },
      ],
      delete: operation({ summary: 'Delete a thing' }),
    },
  },
  webhooks: { thingMade: { post: { summary: 'A thing was made', responses: {} } } },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
    schemas: {
      Thing: {
        allOf: [{ $ref: '#/components/schemas/Named' }],
        type: 'object',
        properties: {
          kind: { enum: ['big', 'small'], description: 'What kind it is' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          owner: { oneOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] },
          labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 12 } },
        },
      },
      Named: { type: 'object', required: ['name'], properties: { name: { type: ['string', 'null'], example: 'Box' } } },
      Person: { title: 'A person', properties: { email: { type: 'string', format: 'email' } } },
    },
  },
})

test('without docs.json, each operation gets a searchable page without broken links, grouped by tag', async () => {
  const { files, report } = await exportFiles({ 'index.md': '# Home\n', 'openapi.json': json(things) })
  const pages = [...files.keys()].filter((name) => /^api-reference\/.*\.html$/.test(name)).toSorted()
  expect(pages).toEqual([
    'api-reference/a-thing-was-made.html',
    'api-reference/delete-a-thing.html',
    'api-reference/things/create-thing.html',
    'api-reference/things/list-things.html',
  ])
  expect(linkProblems(files)).toEqual([])
  const home = files.get('index.html')!
  expect(home).toContain('All things')
  expect(home).toMatch(/<span class="method get">GET<\/span> List things/)
  expect(home).toMatch(/<span class="method webhook">Webhook<\/span> A thing was made/)
  expect(files.get('_docket/search/0/pages-0.js')).toContain('api-reference/things/list-things.html')
  expect(report.lines).toEqual([
    expect.objectContaining({ kind: 'left-out', what: expect.stringContaining('playground') }),
  ])
})

test('an operation page shows everything that is needed to call the operation', async () => {
  const { files } = await exportFiles({ 'index.md': '# Home\n', 'openapi.json': json(things) })
  const list = files.get('api-reference/things/list-things.html')!
  expect(list).toMatch(/<a href="https:\/\/example.com"[^>]*>things<\/a>/)
  expect(list).toMatch(/<nav class="contents".*Query parameters.*Responses.*200/s)
  const words = readText(list)
  for (const expected of [
    'GET /things',
    'Lists all things',
    "curl 'https://eu.example.com/v2/things?limit=20'",
    "--header 'X-Key: <key>'",
    'https://{region}.example.com/v2/',
    'A key in the header X-Key.',
    'limit integer required',
    'Default: 20',
    'at least: 1, at most: 100',
    'X-Trace string',
    'A page of things',
    'array of Thing',
    'name string or null required',
    'One of: "big" "small"',
    'parts array of Thing',
    'Made like the Thing around it.',
    'A person',
    'email string (email)',
    'labels map of string',
    'characters at most: 12',
    '"name": "Box"',
    '"kind": "big"',
  ])
    expect(words).toContain(expected)
  const create = readText(files.get('api-reference/things/create-thing.html'))
  expect(create).toMatch(
    /POST \/things deprecated .*--request POST .*Content-Type: application\/json.*None is needed\..*Request body/,
  )
  expect(readText(files.get('api-reference/delete-a-thing.html'))).toContain('things/a%2Fb')
  expect(readText(files.get('api-reference/a-thing-was-made.html'))).not.toContain('curl')
})

test('docs.json can place single operations, whole documents, and pages that describe an operation', async () => {
  const other = buildDocument({ paths: { '/other': { get: operation({ summary: 'Other' }) } } })
  const { files, report } = await exportFiles({
    'docs.json': json({
      name: 'Docs',
      navigation: {
        tabs: [
          { tab: 'Guide', pages: ['index', 'write', 'missing', 'lost', 'by-hand'] },
          {
            tab: 'API',
            openapi: { source: '/api/things.json', directory: 'reference' },
            groups: [
              { group: 'Reading', pages: ['GET /things', 'GET /nothing', 'webhook thingMade'] },
              { group: 'Other', openapi: ['api/other.yaml', 'https://example.com/api.json', '../outside.json'] },
            ],
          },
        ],
      },
    }),
    'index.md': '# Home\n\n[List](/reference/things/list-things)\n',
    'write.mdx': '---\nopenapi: "api/things.json POST /things"\n---\n\nWrites **one**.\n',
    'lost.mdx': '---\nopenapi: GET /lost\n---\n\nText\n',
    'by-hand.mdx': '---\napi: GET /by-hand\n---\n\nText\n',
    'api/things.json': json(things),
    'api/other.yaml': json(other),
  })
  expect(linkProblems(files)).toEqual([])
  expect([...files.keys()].filter((name) => /^(reference|api-reference)\/.*\.html$/.test(name)).toSorted()).toEqual([
    'api-reference/other.html',
    'reference/a-thing-was-made.html',
    'reference/things/list-things.html',
  ])
  const page = files.get('reference/things/list-things.html')!
  expect(page).toMatch(/Reading.*List things.*Other.*<span class="method get">GET<\/span> Other/s)
  const writePage = files.get('write.html')!
  expect(writePage).toMatch(/<h1[^>]*>Create thing<\/h1>/)
  expect(readText(writePage)).toMatch(/POST \/things deprecated Writes one ?\. .*curl/)
  expect(readText(files.get('by-hand.html'))).toContain('GET /by-hand')
  const remarks = report.lines.map(({ file, what }) => `${file}: ${what}`)
  for (const expected of [
    /^GET \/nothing: the navigation names it/,
    /^missing: the navigation names it/,
    /^https:\/\/example.com\/api.json: .*another host/,
    /^\.\.\/outside.json: there is no such/,
    /^lost.mdx: its operation is in no OpenAPI document/,
  ])
    expect(remarks).toContainEqual(expect.stringMatching(expected))
  expect(remarks.filter((line) => line.startsWith('by-hand'))).toEqual([])
})
