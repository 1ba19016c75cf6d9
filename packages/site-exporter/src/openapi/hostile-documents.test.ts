import { findWording } from '#site/words.ts'
import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const json = (value: unknown) => JSON.stringify(value)
const buildDocument = (more: object) => ({ openapi: '3.0.3', info: {}, paths: {}, ...more })
const buildGet = (schema: unknown) => ({
  '/x': {
    get: { summary: 'X', responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
  },
})
const home = { 'index.md': '# Home\n' }

test.each([
  [
    'a 20 MB text',
    () => `{"openapi":"3.0.0","x":"${'x'.repeat(20 * 1024 * 1024)}"}`,
    'openapi.json',
    /more than 16 MB/,
  ],
  ['10 MB of YAML', () => `openapi: 3.0.0\nx: ${'x'.repeat(10 * 1024 * 1024)}`, 'openapi.yaml', /as YAML it may have/],
  ['no JSON', () => '{', 'openapi.json', /not valid JSON/],
  ['brackets without end', () => '['.repeat(1_000_000), 'openapi.json', /not valid JSON|no OpenAPI/],
  ['YAML that is too deep', () => `openapi: ${'['.repeat(200_000)}`, 'openapi.yaml', /not valid YAML|no OpenAPI/],
  ['a tag that runs code', () => 'openapi: !!js/function "function(){}"', 'openapi.yaml', /OpenAPI/],
  [
    'a bomb of aliases',
    () =>
      `openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((name, i) => `${name}: &${name} [${`*${'abcdefghi'[i]},`.repeat(9)}]`)
        .join('\n')}`,
    'openapi.yaml',
    /not valid YAML/,
  ],
  ['a list', () => '[1]', 'openapi.json', /no OpenAPI document/],
  ['Swagger 2', () => json({ swagger: '2.0' }), 'openapi.json', /only OpenAPI 3/],
])('an OpenAPI file with %s is reported, and the site is exported', async (_, content, name, reason) => {
  const { files, report } = await exportFiles({ ...home, [name]: content() })
  expect(files.has('index.html')).toBe(true)
  expect(report.lines).toEqual([expect.objectContaining({ file: name, what: expect.stringMatching(reason) })])
})

test('of 100,000 operations, those within the limit get their own pages, and the rest are reported', async () => {
  const { createOperationPages } = await import('#openapi/reading/operation-pages.ts')
  const { parseApiDocument } = await import('#openapi/reading/api-document.ts')
  const { apiLimits } = await import('./limits.ts')
  const paths = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`/x${index}`, { get: { summary: 'Same', tags: ['Same'] } }]),
  )
  const document = parseApiDocument('openapi.json', Buffer.from(json(buildDocument({ paths }))))
  const pages = createOperationPages(() => false)
  const [group] = pages.listGroups(document, 'api')
  expect(group!.paths).toHaveLength(apiLimits.operations)
  expect(new Set(group!.paths).size).toBe(apiLimits.operations)
  expect(pages.refused.size).toBe(100_000 - apiLimits.operations)
})

test('circular, missing and external references are cut off and reported', async () => {
  const { files, report } = await exportFiles({
    ...home,
    'openapi.json': json(
      buildDocument({
        paths: {
          ...buildGet({ $ref: '#/components/schemas/A' }),
          '/loop': { $ref: '#/paths/~1loop' },
        },
        components: {
          schemas: {
            A: {
              properties: {
                self: { $ref: '#/components/schemas/A' },
                loop: { $ref: '#/components/schemas/Loop' },
                all: { $ref: '#/components/schemas/All' },
                nothing: { $ref: '#/components/schemas/constructor' },
                file: { $ref: 'file:///etc/passwd' },
                beside: { $ref: './other.json' },
                far: { $ref: 'https://evil.example/x.json' },
                number: { $ref: 5 },
              },
            },
            Loop: { $ref: '#/components/schemas/Loop' },
            All: { allOf: [{ $ref: '#/components/schemas/All' }], oneOf: [{ $ref: '#/components/schemas/All' }] },
          },
        },
      }),
    ),
  })
  const page = files.get('api-reference/x.html')!
  expect(page).toContain('Made like the A around it.')
  expect(page).toContain('Not shown: its reference cannot be followed.')
  const remarks = report.lines.map(({ what }) => what).join('\n')
  expect(remarks).toContain('is outside this document and was not read')
  for (const expected of [
    'Loop refers to itself',
    'there is no #/components/schemas/constructor',
    '/etc/passwd is outside',
    'evil.example/x.json is outside',
  ])
    expect(remarks).toContain(expected)
})

test('endless schemas are cut off in depth, in breadth and at every oneOf', async () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: 'string' }]))
  const branching = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `L${level}`,
      {
        oneOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/L${level + 1}` })),
        allOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/L${level + 1}` })),
        properties: {
          a: { $ref: `#/components/schemas/L${level + 1}` },
          b: { $ref: `#/components/schemas/L${level + 1}` },
        },
      },
    ]),
  )
  const deep = `${'{"type":"array","items":{"properties":{"deep":'.repeat(20_000)}{}${'}}}'.repeat(20_000)}`
  const { files } = await exportFiles({
    ...home,
    'openapi.json': json(
      buildDocument({
        paths: {
          '/wide': buildGet({ properties: wide })['/x'],
          '/deep': buildGet('DEEP')['/x'],
          '/branching': buildGet({ $ref: '#/components/schemas/L0' })['/x'],
        },
        components: { schemas: branching },
      }),
    ).replace('"DEEP"', deep),
  })
  const pages = [...files].filter(([name]) => /^api-reference\/.*\.html$/.test(name))
  expect(pages).toHaveLength(3)
  for (const [, html] of pages) expect(html.length).toBeLessThan(600_000)
  expect(pages.some(([, html]) => html.includes('There is more'))).toBe(true)
  expect(pages.some(([, html]) => html.includes('too deep'))).toBe(true)
})

test('what an operation has over a limit is named in the report', async () => {
  const repeat = (count: number, make: (index: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, make(index)]))
  const operation = {
    summary: 'X',
    servers: Object.values(repeat(11, (index) => ({ url: `https://${index}.example.com` }))),
    security: Object.values(repeat(11, () => ({ key: [] }))),
    parameters: Object.values(repeat(121, (index) => ({ name: `p${index}`, in: 'query' }))),
    requestBody: { content: repeat(7, () => ({ examples: repeat(6, () => ({ value: 1 })) })) },
    responses: repeat(61, () => ({ content: { 'application/json': { example: 1 } } })),
    'x-codeSamples': Object.values(repeat(21, () => ({ lang: 'sh', source: 'true' }))),
  }
  const { report } = await exportFiles({
    ...home,
    'openapi.json': json(buildDocument({ paths: { '/x': { get: operation } } })),
  })
  const remarks = report.lines.map(({ what }) => what)
  for (const [what, first] of Object.entries({
    servers: 10,
    'ways to sign in': 10,
    parameters: 120,
    'media types': 6,
    examples: 5,
    responses: 60,
    'samples of requests': 20,
    'samples of responses': 20,
  }))
    expect(remarks).toContain(`${what} after the first ${first}`)
})

const wrong = [null, true, 0, -1, '', 'text', [], [null], [[]], {}, { $ref: 1 }, { $ref: '#' }, { $ref: '#/%zz/~2' }]

test('values of wrong types are ignored', async () => {
  const good = {
    summary: 'X',
    description: 'd',
    tags: ['t'],
    deprecated: true,
    security: [{ key: ['a'] }],
    servers: [{ url: 'https://example.com', variables: { a: { default: 'b' } } }],
    'x-mint': { metadata: { title: 'T' }, content: 'c', href: '/h' },
    parameters: [{ name: 'a', in: 'query', required: true, schema: { type: 'string' }, example: 'e' }],
    requestBody: { content: { 'application/json': { schema: { type: 'object' }, examples: { a: { value: 1 } } } } },
    responses: { 200: { description: 'ok', headers: { h: { schema: {} } }, content: { 'a/b': { schema: {} } } } },
  }
  const paths: Record<string, unknown> = {}
  let count = 0
  const plant = (path: readonly string[]) => {
    for (const value of wrong) {
      const copy = structuredClone(good) as Record<string, unknown>
      let at = copy
      for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>
      at[path.at(-1)!] = value
      paths[`/${count++}`] = { get: copy }
    }
  }
  const walk = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      plant([...path, key])
      walk((value as Record<string, unknown>)[key], [...path, key])
    }
  }
  walk(good, [])
  const { renderOperation } = await import('#openapi/page/operation-tree.ts')
  const { parseApiDocument } = await import('#openapi/reading/api-document.ts')
  const { createOperationPages } = await import('#openapi/reading/operation-pages.ts')
  for (const components of wrong) {
    const document = parseApiDocument(
      'openapi.json',
      Buffer.from(
        json({ openapi: '3.1', paths, components, tags: components, servers: components, security: components }),
      ),
    )
    expect(document.operations).toHaveLength(count)
    createOperationPages(() => false).listGroups(document, '')
    // Each planted text is checked once; repetitions differ only in the document around them.
    for (const operation of components === null ? document.operations : document.operations.slice(0, 3))
      expect(renderOperation(operation, () => undefined, findWording('en')).above.length).toBeGreaterThan(0)
  }
  for (const [key, value] of ['paths', 'webhooks', 'info'].flatMap((name) => wrong.map((one) => [name, one] as const)))
    expect(parseApiDocument('openapi.json', Buffer.from(json({ openapi: '3.1', [key]: value }))).operations).toEqual([])
})

test('markup in any text of an OpenAPI document is escaped or sanitised, and prototype names are ordinary names', async () => {
  const evil =
    '</code></script><script>alert(1)</script><img src=x onerror=alert(1)>[x](javascript:alert(1))\u2028\u202e\'"`${1}'
  const poisoned = JSON.parse(
    json({
      openapi: '3.1.0',
      info: { title: evil },
      servers: [{ url: `https://example.com/${evil}`, description: evil }, { url: 'javascript:alert(1)' }],
      tags: [{ name: evil, 'x-group': evil }],
      security: [{ [evil]: [evil] }, { PROTO: [] }],
      paths: {
        [`/${evil}`]: {
          post: {
            summary: evil,
            description: evil,
            tags: [evil],
            'x-mint': { href: `/../../${evil}`, content: evil },
            parameters: ['path', 'query', 'header', 'cookie'].map((place) => ({
              name: evil,
              in: place,
              required: true,
              description: evil,
              example: evil,
              schema: { type: evil, format: evil, pattern: evil, enum: [evil], default: evil },
            })),
            requestBody: {
              description: evil,
              content: {
                [evil]: {
                  schema: { properties: { PROTO: { type: 'string' }, [evil]: { description: evil } } },
                  example: { PROTO: evil },
                },
              },
            },
            responses: {
              [evil]: {
                description: evil,
                headers: { [evil]: { description: evil } },
                content: { 'application/json': { examples: { [evil]: { summary: evil, value: evil } } } },
              },
            },
          },
        },
        PROTO: { get: { summary: 'Proto', tags: ['PROTO'] } },
      },
      components: { securitySchemes: { [evil]: { type: 'http', scheme: evil, description: evil } } },
    }).replaceAll('PROTO', '__proto__'),
  ) as unknown
  const { files } = await exportFiles({ ...home, 'openapi.json': json(poisoned) })
  expect(Object.hasOwn(Object.prototype, 'type')).toBe(false)
  expect(linkProblems(files)).toEqual([])
  const pages = [...files].filter(([name]) => name.endsWith('.html') && name !== '404.html')
  expect(pages).toHaveLength(3)
  for (const [name, html] of pages) {
    expect(name).toMatch(/^[^.<>"'\u2028\u202e]+\.html$/)
    expect(html).not.toMatch(/<script>|<img|onerror="|href="javascript:|class="method [^"]*[<>]/)
    expect(html.match(/<script/g)).toHaveLength(files.get('index.html')!.match(/<script/g)!.length)
  }
  const page = pages.find(([name]) => name !== 'index.html' && !name.includes('proto'))![1]
  expect(page).toContain('<code>__proto__</code>')
})
