import { h } from 'hastscript'
import type { Component, Components } from './component.ts'

const field: Component = (children, text, { inline, isOff, list }) => {
  const place = ['path', 'query', 'body', 'header'].find((name) => text(name) !== null)
  const name = text('name') ?? (place ? text(place) : null) ?? ''
  const facts = [
    text('type'),
    place !== undefined && place !== 'body' ? `in ${place}` : null,
    text('required') && 'required',
    text('optional') && 'optional',
    text('deprecated') && 'deprecated',
    text('default') && `default: ${text('default')}`,
    text('default') === null && isOff('default') ? 'default: false' : null,
    text('initialvalue') && `initial value: ${text('initialvalue')}`,
    text('placeholder') && `example: ${text('placeholder')}`,
  ]
  const labels = (key: string) => list(key).map((label) => h('span', { className: ['field-label'] }, label))
  return h('div', { className: ['field'], dataAnchor: name && `param-${name.replaceAll('.', '-')}` }, [
    h('p', { className: ['field-name'] }, [
      ...labels('pre').flatMap((label) => [label, ' ']),
      h('code', name),
      ...facts.filter((fact) => fact !== null).flatMap((fact) => [' ', h('span', factProperties(fact), fact)]),
      ...labels('post').flatMap((label) => [' ', label]),
    ]),
    ...inline('description'),
    ...children,
  ])
}

const factProperties = (fact: string) => (fact === 'required' || fact === 'deprecated' ? { className: [fact] } : {})

/** Parameters and response fields. */
export const fieldFamily: Components = { paramfield: field, responsefield: field, property: field }
