import { readdirSync, readFileSync } from 'node:fs'
import { visit } from 'unist-util-visit'
import { expect, test } from 'vitest'
import { parseHtml } from '#markdown/parse-html.ts'
import { exportFiles } from '#testing/site.ts'
import { fillWording, findWording } from './words.ts'

type Table = Record<string, Record<string, string | Record<string, string>>>

const folder = new URL('./words/', import.meta.url)
const languages = readdirSync(folder).map((name) => name.replace('.json', ''))
const others = languages.filter((lang) => lang !== 'en')
const readTable = (lang: string) => JSON.parse(readFileSync(new URL(`${lang}.json`, folder), 'utf8')) as Table

/** Forms of each text, by its group and key. */
const listTexts = (table: Table) =>
  new Map(
    Object.entries(table).flatMap(([group, texts]) =>
      Object.entries(texts).map(([key, text]): [string, Record<string, string>] => [
        `${group}.${key}`,
        typeof text === 'string' ? { other: text } : text,
      ]),
    ),
  )
const listPlaces = (text: string) => [...text.matchAll(/\{\w+\}|`/g)].map(([place]) => place).toSorted()

/** Words that are the same in English and in another language. */
const shared =
  /^(Menu|Site|Pages|Feed|Version|Language|Cookies|Server|Info|Important|Details|Prompt|Tab|Tab \{number\}|optional|Image|Danger|Question|Flux|Header|Headers|Error|Attention|Diagram|Optional\.|\{count\} pages)$/

test('the tables cover at least these languages', () => {
  const wanted = ['en', 'de', 'fr', 'es', 'pt', 'zh', 'ja', 'ko', 'ar', 'fa', 'he', 'ur', 'hi', 'zh-TW']
  expect(languages).toEqual(expect.arrayContaining(wanted))
})

test.each(others)('the table of %s has the keys, places and plural forms of its language, and no English', (lang) => {
  const english = listTexts(readTable('en'))
  const texts = listTexts(readTable(lang))
  expect([...texts.keys()]).toEqual([...english.keys()])
  for (const [key, forms] of texts) {
    const wanted = english.get(key)!
    const isPlural = Object.keys(wanted).length > 1
    const categories = isPlural ? new Intl.PluralRules(lang).resolvedOptions().pluralCategories : ['other']
    expect(Object.keys(forms).toSorted(), key).toEqual(categories.toSorted())
    expect(listPlaces(forms['other']!), key).toEqual(listPlaces(wanted['other']!))
    for (const text of Object.values(forms)) {
      expect(text.trim(), key).not.toBe('')
      expect(shared.test(text) || text.trim() !== wanted['other']!.trim(), `${key}: ${text}`).toBe(true)
    }
  }
})

test('a tag finds the table of its language, and English where there is none', () => {
  for (const [tag, lang] of [
    ['pt-BR', 'pt'],
    ['zh-Hans-CN', 'zh'],
    ['pt-PT', 'pt'],
    ['es-419', 'es'],
    ['zh', 'zh'],
    ['zh-SG', 'zh'],
    ['zh-Latn', 'zh'],
    ['zh-TW', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-TW', 'zh-TW'],
    ['en-GB', 'en'],
    ['ar-EG', 'ar'],
    ['fa-AF', 'fa'],
    ['sv', 'en'],
    ['und', 'en'],
  ] as const)
    expect(findWording(tag).lang).toBe(lang)
})

test('numbers follow the plural rules and digits of the language', () => {
  const show = (lang: string, count: number) => {
    const words = findWording(lang)
    return fillWording(words, words.scripts.pages, { count })
  }
  expect([1, 2, 5, 11].map((count) => show('ar', count))).toEqual(['صفحة واحدة', 'صفحتان', '5 صفحات', '11 صفحة'])
  expect(show('fa', 12)).toBe('۱۲ صفحه')
  expect([show('en', 1), show('en', 1_200)]).toEqual(['1 page', '1,200 pages'])
})

const filler = 'ξξξ'
const api = {
  openapi: '3.1.0',
  info: { title: filler, version: '1' },
  servers: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'k' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'c' },
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2' },
      tls: { type: 'mutualTLS' },
    },
    schemas: {
      Node: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Node' } } },
    },
  },
  paths: {
    '/one/{id}': {
      post: {
        summary: filler,
        deprecated: true,
        security: [
          { key: [], query: [] },
          { cookie: [] },
          { basic: [] },
          { bearer: ['a'] },
          { oauth: [] },
          { tls: [] },
          { gone: [] },
          {},
        ],
        parameters: [
          {
            in: 'path',
            name: 'id',
            required: true,
            schema: { type: ['string', 'null'], minLength: 1, maxLength: 2, pattern: 'a' },
          },
          {
            in: 'query',
            name: 'q',
            schema: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
          },
          { in: 'header', name: 'h', schema: { enum: Array.from({ length: 90 }, (_, index) => index) } },
          { in: 'cookie', name: 'c', schema: { const: 1, default: 1 } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  node: { $ref: '#/components/schemas/Node' },
                  lost: { $ref: '#/components/schemas/Lost' },
                  one: {
                    oneOf: [
                      { type: 'object', properties: { a: { type: 'string', readOnly: true } } },
                      { type: 'integer' },
                    ],
                  },
                  any: { anyOf: [{ type: 'number', minimum: 1, exclusiveMaximum: 3, multipleOf: 2 }, {}] },
                  map: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
                  write: { type: 'string', writeOnly: true, deprecated: true },
                },
              },
            },
          },
        },
        responses: { 200: { description: filler, headers: { X: {} } }, default: { description: filler } },
      },
      get: { summary: `${filler} 2`, security: [{}], responses: {} },
    },
  },
  webhooks: {
    hook: { post: { summary: `${filler} 3`, requestBody: { content: { 'application/json': { schema: {} } } } } },
  },
}
const callouts = 'Note Info Tip Check Success Caution Warning Danger'.split(' ')
const kinds = 'note important tip warning caution'.split(' ')
const page = `---
title: ${filler} 1
deprecated: true
---

${callouts.map((name) => `<${name}>${filler}</${name}>`).join('\n\n')}

${'note info important secondary tip success check warning caution danger error unheard'
  .split(' ')
  .map((type) => `<Callout type="${type}">${filler}</Callout>`)
  .join('\n\n')}

${kinds.map((kind) => `> [!${kind.toUpperCase()}]\n> ${filler}`).join('\n\n')}

${'note example question quote abstract bug failure hint seealso todo attention'
  .split(' ')
  .flatMap((kind) => [`!!! ${kind}\n    ${filler}`, `??? ${kind}\n    ${filler}`])
  .join('\n\n')}

::: tip
${filler}
:::

::: details
${filler}
:::

<Accordion>${filler}</Accordion>

<Prompt>${filler}</Prompt>

<Tabs><Tab>${filler}</Tab><Tab title="${filler}">${filler}</Tab></Tabs>

<View>${filler}</View>

<ParamField path="id" required deprecated type="string" default="1" placeholder="2">${filler}</ParamField>

<ParamField query="id" optional initialValue="1">${filler}</ParamField>

<ParamField header="id">${filler}</ParamField>

- [x] ${filler}
- [ ] ${filler}

${filler}[^1] [${filler}](/nowhere) ![](https://x.example/a.png) {compute()}

<iframe src="https://x.example/v"></iframe>

<Interactive client:load />

\`\`\`mermaid
graph TD
\`\`\`

\`\`\`mermaid
mindmap
\`\`\`

\`\`\`math
x
\`\`\`

[^1]: ${filler}
`

const createSite = (lang: string) => ({
  'docs.json': JSON.stringify({
    name: filler,
    banner: { content: filler, dismissible: true },
    navbar: { links: [{ label: filler, href: 'https://x.example' }] },
    redirects: [
      { source: '/old', destination: '/a' },
      { source: '/away', destination: 'https://x.example' },
    ],
    navigation: {
      languages: [
        {
          language: lang,
          versions: ['1.0', '2.0'].map((version) => ({
            version,
            tabs: [filler, `${filler} 2`].map((tab, at) => ({
              tab,
              groups: [
                {
                  group: filler,
                  pages: version === '2.0' ? [`v${at}`] : at === 0 ? ['a', 'b', 'c', 'd'] : ['e'],
                },
              ],
            })),
          })),
        },
      ],
    },
    api: { openapi: 'openapi.json' },
  }),
  'openapi.json': JSON.stringify(api),
  'a.mdx': page,
  'b.mdx': '---\ntitle: β\nopenapi: GET /gone\n---\n',
  'c.mdx': '---\ntitle: γ\nopenapi-schema: Gone\n---\n',
  'd.mdx': '---\ntitle: δ\nasyncapi: "a.json gone"\n---\n',
  'e.mdx': '---\ntitle: ε\nopenapi: POST /one/{id}\n---\n',
  'v0.mdx': '---\ntitle: ζ\nopenapi: GET /one/{id}\n---\n',
  'v1.mdx': '---\ntitle: η\nopenapi: WEBHOOK hook\n---\n',
})

/** Texts that a reader sees or hears. Code is not in any language. */
const listShown = (html: string): string[] => {
  const texts: string[] = []
  visit(parseHtml(html.replace(/^[^]*?<body>/, '')), (node) => {
    if (node.type === 'element') {
      if (/^(code|pre|script|style|kbd)$/.test(node.tagName)) return 'skip'
      for (const name of ['ariaLabel', 'title', 'alt', 'placeholder'])
        if (typeof node.properties[name] === 'string') texts.push(node.properties[name])
    }
    if (node.type === 'text') texts.push(node.value)
    return undefined
  })
  return [...texts, /<title>([^<]*)/.exec(html)?.[1] ?? '']
}

/** Names of products and standards, types of schemas, and what the pages of the test say themselves. */
const names =
  /^(Markdown|cURL|JavaScript|Python|Go|Java|PHP|Mermaid|TeX|API|AsyncAPI|HTTP|Basic|Authorization|Bearer|OAuth|OpenID|Connect|Webhook|POST|GET|Cookie|Node|Interactive|RSS|X-Key|null|string|integer|number|object|boolean|https?|example|gone|Gone|json)$/

test.each(others)('a site in %s shows no English word on any page', async (lang) => {
  const { files } = await exportFiles(createSite(lang))
  const english = listTexts(readTable('en'))
  const table = listTexts(readTable(lang))
  const words = new Set<string>()
  for (const [key, { other }] of english) if (table.get(key)!['other'] !== other) words.add(other!.trim())
  const own = [...table.values()].flatMap((forms) => Object.values(forms))
  const isLatin = new Intl.Locale(lang).maximize().script === 'Latn'
  const found: string[] = []
  const pages = [...files].filter(([name]) => name.endsWith('.html'))
  for (const [name, html] of pages) {
    expect(html, name).toMatch(new RegExp(`<html lang="${lang}"`))
    for (const text of listShown(html)) {
      const isEnglish = isLatin
        ? words.has(text.trim()) && !own.includes(text.trim())
        : (text.match(/[a-z][a-z-]{2,}/gi) ?? []).some((word) => !names.test(word))
      if (isEnglish) found.push(`${name}: ${text.trim()}`)
    }
  }
  expect(found).toEqual([])
  expect(pages.length).toBeGreaterThan(9)
  expect(files.get('a.html')).toMatch(new RegExp(`words-${lang}\\.js"></script>\n<script src="_docket/site.js"`))
  expect(files.get(`_docket/words-${lang}.js`)).toContain(String(table.get('scripts.copied')!['other']))
})
