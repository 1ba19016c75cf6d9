import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { fillWording } from '#site/words.ts'
import { asList, clipValue, isData, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { type PageContext, type Schema, describeConstraints, readSchema, describeType } from './schema.ts'
import { renderShortProse } from './prose.ts'

export type Field = { name: string; schema: unknown; isRequired: boolean; data?: Data }

/** Place of a schema on a page: `above` names the schemas around it. */
type Place = { context: PageContext; above: readonly string[]; depth: number }

export const atTop = (context: PageContext): Place => ({ context, above: [], depth: 0 })

export const renderField = (field: Field, place: Place): Element => {
  const { context } = place
  const { words } = context
  const schema = readSchema(field.schema, context)
  const facts = [
    describeType(schema, context),
    field.isRequired && words.content.required,
    (field.data?.['deprecated'] === true || schema.data['deprecated'] === true) && words.content.deprecated,
    schema.data['readOnly'] === true && words.api.onlyInResponses,
    schema.data['writeOnly'] === true && words.api.onlyInRequests,
  ].filter((fact) => fact !== false)
  return h('div', { className: ['field'] }, [
    h('p', { className: ['field-name'] }, [
      h('code', toLine(field.name, 120) ?? '""'),
      ...facts.flatMap((fact) => [
        ' ',
        h('span', fact === words.content.required ? { className: ['required'] } : {}, fact),
      ]),
    ]),
    ...renderShortProse(field.data?.['description'] ?? schema.data['description'], context),
    ...renderConstraints(schema, context),
    ...renderParts(schema, place),
  ])
}

export const renderSchema = (value: unknown, context: PageContext): ElementContent[] => {
  const schema = readSchema(value, context)
  const isBare = schema.properties.size > 0 || schema.variants !== null
  return [
    ...(isBare && schema.types.length <= 1 && !schema.types.includes('array')
      ? []
      : [h('p', { className: ['field-name'] }, [h('span', describeType(schema, context))])]),
    ...renderShortProse(schema.data['description'], context),
    ...renderConstraints(schema, context),
    ...renderContents(schema, { ...atTop(context), above: schema.names }),
  ]
}

const renderConstraints = ({ data }: Schema, { words }: PageContext): ElementContent[] => {
  const { api } = words
  const values = asList(data['enum'])
  const choices = values.slice(0, apiLimits.enumValues).map((value) => h('code', formatJson(value)))
  const more = values.length - choices.length
  const lines: (string | Element)[][] = [
    ...(choices.length > 0
      ? [[api.values, ...joinElements(choices), ...(more > 0 ? [fillWording(words, api.more, { count: more })] : [])]]
      : []),
    ...(data['const'] === undefined ? [] : [[api.always, h('code', formatJson(data['const']))]]),
    ...(data['default'] === undefined ? [] : [[api.default, h('code', formatJson(data['default']))]]),
    ...(describeConstraints(data, words).length > 0 ? [[describeConstraints(data, words).join(', ')]] : []),
  ]
  return lines.map((line) => renderRemark(line))
}

const renderRemark = (content: string | (string | Element)[]) => h('p', { className: ['field-values'] }, content)

const joinElements = (elements: readonly Element[]) =>
  elements.flatMap((element, index) => (index > 0 ? [' ', element] : [element]))

const formatJson = (value: unknown) => toLine(JSON.stringify(clipValue(value, { left: 20 }, 2)), 120) ?? 'null'

const renderParts = (schema: Schema, { context, above, depth }: Place): ElementContent[] => {
  const { api } = context.words
  const circle = schema.names.find((name) => above.includes(name))
  if (schema.problem !== null)
    return [renderRemark(fillWording(context.words, api.notShown, { problem: schema.problem }))]
  if (circle !== undefined) return [renderCircle(schema, context)]
  const content = renderContents(schema, { context, above: [...above, ...schema.names], depth: depth + 1 })
  return content.length === 0
    ? []
    : [renderSchemaBox(api[schema.variants ? schema.variants.word : 'properties'], content)]
}

const renderContents = (schema: Schema, place: Place): ElementContent[] => {
  const { context, above, depth } = place
  const { properties, required, variants, items, values } = schema
  if (properties.size === 0 && !variants && items === undefined && !isData(values)) return []
  if (depth > apiLimits.depth) return [renderRemark(context.words.api.tooDeep)]
  const fields: ElementContent[] = []
  for (const [name, property] of properties) {
    if (context.schemas.left-- <= 0) return [...fields, renderLimitRemark(context)]
    fields.push(renderField({ name, schema: property, isRequired: required.has(name) }, place))
  }
  for (const [index, variant] of (variants?.schemas ?? []).entries()) {
    if (context.schemas.left-- <= 0) return [...fields, renderLimitRemark(context)]
    fields.push(renderVariants(variant, index, place))
  }
  const inner = Array.isArray(items) ? items.slice(0, apiLimits.items) : items === undefined ? [] : [items]
  for (const item of [...inner, ...(isData(values) ? [values] : [])]) {
    if (context.schemas.left-- <= 0) return [...fields, renderLimitRemark(context)]
    const itemSchema = readSchema(item, context)
    if (itemSchema.names.some((name) => above.includes(name))) fields.push(renderCircle(itemSchema, context))
    else
      fields.push(
        ...renderConstraints(itemSchema, context),
        ...renderContents(itemSchema, { context, above: [...above, ...itemSchema.names], depth }),
      )
  }
  return fields
}

const renderVariants = (variant: unknown, index: number, place: Place) => {
  const { context } = place
  const schema = readSchema(variant, context)
  const title = toLine(schema.data['title'], 80) ?? schema.name ?? describeType(schema, context)
  const content = [
    ...renderShortProse(schema.data['description'], context),
    ...renderConstraints(schema, context),
    ...renderParts(schema, place),
  ]
  if (content.length === 0) return renderRemark(title)
  return renderSchemaBox(`${index + 1}. ${title}`, content)
}

const renderLimitRemark = ({ words }: PageContext) =>
  renderRemark(fillWording(words, words.api.limit, { count: apiLimits.schemas }))

const renderCircle = ({ name }: Schema, { words }: PageContext) =>
  renderRemark(name === null ? words.api.madeLikeValue : fillWording(words, words.api.madeLike, { name }))

const renderSchemaBox = (title: string, content: ElementContent[]) =>
  h('details', { className: ['accordion', 'schema'] }, [h('summary', title), h('div', content)])
