import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'
import { formatCurl, formatJavaScript, formatPython, formatGo, formatJava, formatPhp } from './languages.ts'
import type { SampleBody, SampleRequest } from './request.ts'

const escapable = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'/g
const formats = [
  ['curl', formatCurl, /'[^']*'|\\'/g],
  ['JavaScript', formatJavaScript, escapable],
  ['Python', formatPython, escapable],
  ['Go', formatGo, escapable],
  ['Java', formatJava, escapable],
  ['PHP', formatPhp, /'(?:\\[^]|[^'\\])*'/g],
] as const

const hostile = [
  `"MARK`,
  `'MARK`,
  '`MARK',
  '"""MARK',
  `\\"MARK`,
  `\\'MARK`,
  '\\MARK',
  '$(MARK)',
  '\nMARK',
  '\u2028MARK',
  '*/MARK',
]
const bodies: SampleBody[] = hostile.flatMap((text): SampleBody[] => [
  { mediaType: 'application/json', kind: 'json', value: { [text]: [text, null, true, 1, {}, []] } },
  { mediaType: 'application/x-www-form-urlencoded', kind: 'form', fields: [[text, text]] },
  { mediaType: 'multipart/form-data', kind: 'multipart', fields: [[text, text]] },
  { mediaType: `text/${text}`, kind: 'text', text },
])

test.each(formats)('text of a hostile document stays inside the quotes of a sample in %s', (_, format, quotes) => {
  for (const [index, body] of bodies.entries()) {
    const text = hostile[index % hostile.length]!
    const request: SampleRequest = {
      method: `POST${text}`.slice(0, 4),
      isOpen: index % 2 === 0,
      url: `https://example.com/${text}`,
      user: `${text}:${text}`,
      headers: [[text, text]],
      body,
    }
    expect(format(request)?.replace(quotes, '') ?? '').not.toContain('MARK')
  }
})

const call: SampleRequest = {
  method: 'POST',
  isOpen: false,
  url: 'https://example.com/things',
  user: null,
  headers: [['X-Key', '<key>']],
  body: { mediaType: 'application/json', kind: 'json', value: { name: 'Box', open: true, none: null } },
}

test('request samples are idiomatic in each language', () => {
  expect(formatPython(call)).toBe(`import requests

response = requests.request(
    "POST",
    "https://example.com/things",
    headers={
        "X-Key": "<key>",
    },
    json={
        "name": "Box",
        "open": True,
        "none": None,
    },
)
print(response.status_code, response.text)`)
  expect(formatJavaScript(call)).toContain(`await fetch("https://example.com/things", {
  method: "POST",
  headers: {
    "X-Key": "<key>",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({`)
  expect(formatGo(call)).toContain('http.NewRequest("POST", "https://example.com/things", strings.NewReader(`{')
  expect(formatJava(call)).toContain('HttpRequest.newBuilder(URI.create("https://example.com/things"))')
  expect(formatPhp(call)).toContain(`CURLOPT_HTTPHEADER => [\n        'X-Key: <key>',`)
  expect(formatJava({ ...call, body: { mediaType: 'multipart/form-data', kind: 'multipart', fields: [] } })).toBeNull()
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
