import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { asList, clipValue, isData, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { type PageContext, type Schema, describeConstraints, readSchema, describeType } from './schema.ts'
import { renderShortProse } from './prose.ts'

export type Field = { name: string; schema: unknown; isRequired: boolean; data?: Data }

export const renderField = (field: Field, context: PageContext, above: readonly string[] = [], depth = 0): Element => {
  const schema = readSchema(field.schema, context)
  const facts = [
    describeType(schema, context),
    field.isRequired && 'required',
    (field.data?.['deprecated'] === true || schema.data['deprecated'] === true) && 'deprecated',
    schema.data['readOnly'] === true && 'only in responses',
    schema.data['writeOnly'] === true && 'only in requests',
  ].filter((fact) => fact !== false)
  return h('div', { className: ['field'] }, [
    h('p', { className: ['field-name'] }, [
      h('code', toLine(field.name, 120) ?? '""'),
      ...facts.flatMap((fact) => [' ', h('span', fact === 'required' ? { className: ['required'] } : {}, fact)]),
    ]),
    ...renderShortProse(field.data?.['description'] ?? schema.data['description'], context.note),
    ...renderConstraints(schema),
    ...renderParts(schema, context, above, depth),
  ])
}

export const renderSchema = (value: unknown, context: PageContext): ElementContent[] => {
  const schema = readSchema(value, context)
  const isBare = schema.properties.size > 0 || schema.variants !== null
  return [
    ...(isBare && schema.types.length <= 1 && !schema.types.includes('array')
      ? []
      : [h('p', { className: ['field-name'] }, [h('span', describeType(schema, context))])]),
    ...renderShortProse(schema.data['description'], context.note),
    ...renderConstraints(schema),
    ...renderContents(schema, context, schema.names, 0),
  ]
}

const renderConstraints = ({ data }: Schema): ElementContent[] => {
  const values = asList(data['enum'])
  const choices = values.slice(0, apiLimits.enumValues).map((value) => h('code', formatJson(value)))
  const more = values.length - choices.length
  const lines: (string | Element)[][] = [
    ...(choices.length > 0 ? [['One of: ', ...joinElements(choices), ...(more > 0 ? [` and ${more} more`] : [])]] : []),
    ...(data['const'] === undefined ? [] : [['Always ', h('code', formatJson(data['const']))]]),
    ...(data['default'] === undefined ? [] : [['Default: ', h('code', formatJson(data['default']))]]),
    ...(describeConstraints(data).length > 0 ? [[describeConstraints(data).join(', ')]] : []),
  ]
  return lines.map((line) => renderRemark(line))
}

const renderRemark = (content: string | (string | Element)[]) => h('p', { className: ['field-values'] }, content)

const joinElements = (elements: readonly Element[]) =>
  elements.flatMap((element, index) => (index > 0 ? [' ', element] : [element]))

const formatJson = (value: unknown) => toLine(JSON.stringify(clipValue(value, { left: 20 }, 2)), 120) ?? 'null'

const renderParts = (
  schema: Schema,
  context: PageContext,
  above: readonly string[],
  depth: number,
): ElementContent[] => {
  const circle = schema.names.find((name) => above.includes(name))
  if (schema.problem !== null) return [renderRemark(`Not shown: ${schema.problem}.`)]
  if (circle !== undefined) return [renderRemark(`Made like the ${schema.name ?? 'value'} around it.`)]
  const content = renderContents(schema, context, [...above, ...schema.names], depth + 1)
  return content.length === 0 ? [] : [renderSchemaBox(schema.variants ? schema.variants.word : 'Properties', content)]
}

const renderContents = (
  schema: Schema,
  context: PageContext,
  above: readonly string[],
  depth: number,
): ElementContent[] => {
  const { properties, required, variants, items, values } = schema
  if (properties.size === 0 && !variants && items === undefined && !isData(values)) return []
  if (depth > apiLimits.depth) return [renderRemark('What is inside is not shown: it is too deep.')]
  const fields: ElementContent[] = []
  for (const [name, property] of properties) {
    if (context.schemas.left-- <= 0) return [...fields, renderLimitRemark()]
    fields.push(renderField({ name, schema: property, isRequired: required.has(name) }, context, above, depth))
  }
  for (const [index, variant] of (variants?.schemas ?? []).entries()) {
    if (context.schemas.left-- <= 0) return [...fields, renderLimitRemark()]
    fields.push(renderVariants(variant, index, context, above, depth))
  }
  const inner = Array.isArray(items) ? items.slice(0, apiLimits.items) : items === undefined ? [] : [items]
  for (const item of [...inner, ...(isData(values) ? [values] : [])]) {
    if (context.schemas.left-- <= 0) return [...fields, renderLimitRemark()]
    const itemSchema = readSchema(item, context)
    if (itemSchema.names.some((name) => above.includes(name)))
      fields.push(renderRemark(`Made like the ${itemSchema.name ?? 'value'} around it.`))
    else
      fields.push(
        ...renderConstraints(itemSchema),
        ...renderContents(itemSchema, context, [...above, ...itemSchema.names], depth),
      )
  }
  return fields
}

const renderVariants = (
  variant: unknown,
  index: number,
  context: PageContext,
  above: readonly string[],
  depth: number,
) => {
  const schema = readSchema(variant, context)
  const title = toLine(schema.data['title'], 80) ?? schema.name ?? describeType(schema, context)
  const content = [
    ...renderShortProse(schema.data['description'], context.note),
    ...renderConstraints(schema),
    ...renderParts(schema, context, above, depth),
  ]
  if (content.length === 0) return renderRemark(title)
  return renderSchemaBox(`${index + 1}. ${title}`, content)
}

const renderLimitRemark = () => renderRemark(`There is more: a page shows ${apiLimits.schemas} properties.`)

const renderSchemaBox = (title: string, content: ElementContent[]) =>
  h('details', { className: ['accordion', 'schema'] }, [h('summary', title), h('div', content)])
