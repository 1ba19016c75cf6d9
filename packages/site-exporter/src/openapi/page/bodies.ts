import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { clipValue, asData, isData } from '#site/data.ts'
import { buildExample } from './example.ts'
import type { PageContext } from './schema.ts'
import { renderSchema } from './schema-tree.ts'

export type MediaBody = { mediaType: string; schema: unknown; examples: { title: string | null; value: unknown }[] }

const maxExamples = 5
const maxMediaTypes = 6

/** Bodies by media type. Builds an example from the schema if the document has none. */
export const readBodies = (content: unknown, direction: 'request' | 'response', context: PageContext): MediaBody[] =>
  Object.entries(asData(content))
    .slice(0, maxMediaTypes)
    .map(([mediaType, value]) => {
      const media = asData(value)
      const examples = Object.entries(asData(media['examples']))
        .slice(0, maxExamples)
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
    ...renderExamples(body),
  ])
  if (bodies.length === 1) return [renderMediaLine(bodies[0]!.mediaType), ...parts[0]!]
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

const renderMediaLine = (mediaType: string) => h('p', { className: ['media-type'] }, h('code', mediaType))

const renderExamples = ({ mediaType, examples }: MediaBody): ElementContent[] => {
  const blocks = examples.map(({ title, value }) =>
    createCodeBlock(formatExample(value), findLanguage(mediaType, value), title ?? 'Example'),
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
