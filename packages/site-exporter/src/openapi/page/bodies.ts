import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { clipValue, asData, asList, isData } from '#site/data.ts'
import { type PageContext, readSchema } from './schema.ts'
import { renderSchema } from './schema-tree.ts'

export type MediaBody = { mediaType: string; schema: unknown; examples: { title: string | null; value: unknown }[] }

const maxExamples = 5
const maxMediaTypes = 6

/** Bodies by media type. Builds an example from the schema if the document has none. */
export const readBodies = (content: unknown, direction: 'request' | 'response', context: PageContext): MediaBody[] =>
  context.take(Object.entries(asData(content)), maxMediaTypes, 'media types').map(([mediaType, value]) => {
    const media = asData(value)
    const examples = context
      .take(Object.entries(asData(media['examples'])), maxExamples, 'examples')
      .flatMap(([name, example]) => {
        const { value: found } = context.resolve(example)
        return isData(found) && 'value' in found
          ? [{ title: toLine(found['summary'], 60) ?? toLine(name, 60), value: found['value'] }]
          : []
      })
    const own = media['example'] === undefined ? examples : [{ title: null, value: media['example'] }]
    const sample =
      media['schema'] === undefined ? [] : [{ title: null, value: buildExample(media['schema'], direction, context) }]
    return {
      mediaType: toLine(mediaType, 80) ?? '*/*',
      schema: media['schema'],
      examples: own.length > 0 ? own : sample,
    }
  })

export const renderBodies = (bodies: readonly MediaBody[], context: PageContext): ElementContent[] => {
  const parts = bodies.map((body) => [
    ...(body.schema === undefined ? [] : renderSchema(body.schema, context)),
    ...renderExamples(body, context),
  ])
  if (bodies.length === 1) return [h('p', { className: ['media-type'] }, h('code', bodies[0]!.mediaType)), ...parts[0]!]
  if (bodies.length === 0) return []
  return [
    h(
      'div',
      { className: ['tabs'] },
      bodies.map(({ mediaType }, index) =>
        h('div', { className: ['tab'] }, [h('p', { className: ['tab-title'] }, mediaType), ...parts[index]!]),
      ),
    ),
  ]
}

const renderExamples = ({ mediaType, examples }: MediaBody, { words }: PageContext): ElementContent[] => {
  const blocks = examples.map(({ title, value }) =>
    createCodeBlock(formatExample(value), findLanguage(mediaType, value), title ?? words.api.example),
  )
  return blocks.length > 1 ? [h('div', { className: ['tabs'] }, blocks)] : blocks
}

export const formatExample = (value: unknown) =>
  typeof value === 'string'
    ? value.slice(0, 20_000).toWellFormed()
    : JSON.stringify(clipValue(value, { left: 2_000 }, 20), null, 2)

export const findLanguage = (mediaType: string, value: unknown) =>
  typeof value !== 'string' || /json/i.test(mediaType) ? 'json' : /xml/i.test(mediaType) ? 'xml' : 'text'

/** Code block as the Markdown parser produces it, before highlighting. */
export const createCodeBlock = (code: string, language: string, title: string): Element =>
  h('pre', [h('code', { className: [`language-${language}`], dataMeta: `title="${title.replaceAll('"', '')}"` }, code)])

const formats: Readonly<Record<string, string>> = {
  date: '2025-01-31',
  'date-time': '2025-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'somebody@example.com',
  hostname: 'host.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** Example for a schema: its own, its default or its first choice, else one of its type. Deterministic. Requests omit read-only properties, responses write-only ones. */
export const buildExample = (schema: unknown, direction: 'request' | 'response', context: PageContext): unknown =>
  sampleValue(schema, { direction, context, left: 200 }, [], 0)

type Making = { direction: 'request' | 'response'; context: PageContext; left: number }

const sampleValue = (value: unknown, making: Making, above: readonly string[], depth: number): unknown => {
  if (making.left-- <= 0) return null
  const schema = readSchema(value, making.context)
  const { data, types, properties, variants, items, values } = schema
  const own = [data['example'], asList(data['examples'])[0], data['default'], data['const'], asList(data['enum'])[0]]
  const explicit = own.find((candidate) => candidate !== undefined)
  if (explicit !== undefined) return clipValue(explicit, { left: 100 })
  if (depth > 5 || schema.names.some((name) => above.includes(name)))
    return types.includes('array') ? [] : types.includes('object') ? {} : null
  const open = [...above, ...schema.names]
  if (properties.size > 0 || types[0] === 'object') {
    const entries: [string, unknown][] = []
    for (const [name, property] of properties) {
      if (making.left <= 0) break
      const { data: propertyData } = readSchema(property, making.context)
      const isElsewhere = propertyData[making.direction === 'request' ? 'readOnly' : 'writeOnly'] === true
      if (!isElsewhere) entries.push([name, sampleValue(property, making, open, depth + 1)])
    }
    if (variants) entries.push(...Object.entries(asData(sampleValue(variants.schemas[0], making, open, depth + 1))))
    if (entries.length === 0 && isData(values)) entries.push(['key', sampleValue(values, making, open, depth + 1)])
    return Object.fromEntries(entries)
  }
  if (variants) return sampleValue(variants.schemas[0], making, open, depth + 1)
  if (types[0] === 'array')
    return items === undefined ? [] : [sampleValue(Array.isArray(items) ? items[0] : items, making, open, depth + 1)]
  return sampleSimpleValue(types[0], data)
}

const sampleSimpleValue = (type: string | undefined, data: Readonly<Record<string, unknown>>): unknown => {
  if (type === 'string') {
    const format = data['format']
    return typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : 'string'
  }
  if (type === 'integer' || type === 'number')
    return typeof data['minimum'] === 'number' ? data['minimum'] : type === 'integer' ? 1 : 1.5
  return type === 'boolean' ? true : null
}
