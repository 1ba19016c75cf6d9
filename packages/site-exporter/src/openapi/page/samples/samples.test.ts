import type { ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { expect, test } from 'vitest'
import { createPageContext } from '#openapi/page/schema.ts'
import { parseApiDocument } from '#openapi/reading/api-document.ts'
import { findWording } from '#site/words.ts'
import { exportFiles } from '#testing/site.ts'
import { renderRequestSamples, type Call } from './samples.ts'

/** Samples of a request, by language. */
const listSamples = (path: string, call: Partial<Call>) => {
  const document = { openapi: '3.1.0', paths: { [path]: { post: { responses: {} } } } }
  const [operation] = parseApiDocument('api.json', Buffer.from(JSON.stringify(document))).operations
  const whole = { base: 'https://example.com', parameters: [], schemes: [], body: null, ...call }
  const context = createPageContext(operation!.document.resolve, () => undefined, findWording('en'))
  const [tabs] = renderRequestSamples(operation!, whole, context)
  const blocks = tabs?.type === 'element' ? tabs.children : []
  return new Map(blocks.map((block) => [readLanguage(block), block.type === 'element' ? toString(block) : '']))
}
const readLanguage = (block: ElementContent) => /language-(\w+)/.exec(JSON.stringify(block))![1]!

const doubled = /"(?:\\.|[^"\\\n])*"/g
/** Text in quotes, in which nothing is replaced or run. */
const quotes: Readonly<Record<string, RegExp>> = {
  bash: /'[^']*'|\\'/g,
  js: /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
  python: doubled,
  go: /"(?:\\.|[^"\\\n])*"|`[^`]*`/g,
  java: doubled,
  php: /'(?:\\[^]|[^'\\])*'/g,
}

const hostile = [
  `"MARK`,
  `'MARK`,
  '`MARK',
  '"""MARK',
  `\\"MARK`,
  `\\'MARK`,
  '\\MARK',
  '$(MARK)',
  '$' + '{MARK}',
  '{$MARK}',
  '\nMARK',
  '\rMARK',
  '\u2028MARK',
  '*/MARK',
  'EOF\nMARK',
]
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
  `text/x"'\\y`,
]

test.each(hostile)('the text %j of a hostile document stays inside the quotes of samples', (text) => {
  const parameters = (['path', 'query', 'header'] as const).map((place) => ({
    name: text,
    place,
    isRequired: true,
    schema: {},
    data: place === 'path' ? {} : { example: text },
  }))
  const schemes = [{ name: '', sentence: '', description: '', header: { name: text, value: text } }]
  for (const mediaType of types) {
    const example = mediaType.startsWith('text') ? text : { [text]: text, list: [text, { [text]: null }] }
    const body = { mediaType, example }
    const samples = listSamples(`/a/${text}/{${text}}`, {
      base: `https://example.com/${text}`,
      parameters,
      schemes,
      body,
    })
    expect([...samples.keys()]).toEqual(Object.keys(quotes))
    for (const [language, code] of samples)
      expect([language, code.replace(quotes[language]!, '')]).toEqual([language, expect.not.stringContaining('MARK')])
  }
})

test('samples are requests in six languages, and placeholders stay readable', () => {
  const body = { mediaType: 'application/json', example: { name: 'Box', open: true, none: null } }
  const header = { name: 'X-Key', value: '<key>' }
  const schemes = [{ name: '', sentence: '', description: '', header }]
  const samples = listSamples('/things/{id}', { schemes, body })
  expect(samples.get('python')).toBe(`import requests

requests.post("https://example.com/things/{id}",
    headers={
      "X-Key": "<key>",
      "Content-Type": "application/json"
    },
    json={
      "name": "Box",
      "open": True,
      "none": None
    }
)`)
  for (const code of samples.values()) {
    expect(code).toContain('https://example.com/things/{id}')
    expect(code).toMatch(/X-Key.*<key>/)
  }
  const upload = listSamples('/x', { body: { mediaType: 'image/png', example: undefined } })
  expect(upload.get('bash')).toContain("--data-binary '@file'")
  expect(upload.get('java')).toContain('<file>')
  expect(listSamples('/x', { base: '<server>' }).get('go')).toContain('"<server>/x"')
})

test('samples of the document come first and replace the generated ones of their language; responses are shown by status', async () => {
  const example = (value: object) => ({ description: 'Text', content: { 'application/json': { example: value } } })
  const operation = {
    summary: 'Make',
    'x-codeSamples': [
      { lang: 'Python', label: 'Our SDK', source: 'sdk.make()' },
      { lang: '<script>', source: '</code><script>alert(1)</script>' },
      { lang: 'Ruby' },
    ],
    'x-code-samples': [{ lang: 'curl', source: 'curl --by-hand' }],
    responses: { '200': example({ ok: true }), '404': example({ error: 'lost' }) },
  }
  const document = {
    openapi: '3.1.0',
    info: {},
    servers: [{ url: 'https://example.com' }],
    paths: { '/x': { post: operation } },
  }
  const { files } = await exportFiles({ 'index.md': '# Home\n', 'openapi.json': JSON.stringify(document) })
  const html = files.get('api-reference/make.html')!
  const captions = [...html.matchAll(/<figcaption>([^<]*)/g)].map(([, text]) => text)
  expect(captions).toEqual(['Our SDK', '&#x3C;script>', 'curl', 'JavaScript', 'Go', 'Java', 'PHP', '200', '404'])
  expect(html).toContain('<div class="tabs samples" data-sync="request-language">')
  expect(html).not.toContain('<script>alert')
  expect(html.match(/lost/g)).toHaveLength(1)
})
