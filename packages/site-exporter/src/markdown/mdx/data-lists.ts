import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { charge, type Budget } from '@docket/mdx-language/budget'
import { isFields, isList, type Fields, type Value } from '@docket/mdx-language/values'
import { linked } from '#markdown/components/component.ts'
import { addressNames, literalNames } from '#markdown/components/unknown.ts'

const maxDepth = 6
const titles = [...literalNames, 'name']

/** Words of the data that an unknown component was given, such as the entries of a menu, as lists. */
export const listData = (props: Fields, budget: Budget): ElementContent[] => listNested(props, budget, 0)

const listNested = (fields: Fields, budget: Budget, depth: number): ElementContent[] =>
  depth > maxDepth
    ? []
    : [...fields.values()].flatMap((value): ElementContent[] => {
        const entries = isList(value) ? value.filter(isFields) : []
        const items = entries.flatMap((entry) => readEntry(entry, budget, depth))
        return items.length > 0 ? [h('ul', items)] : []
      })

const readEntry = (entry: Fields, budget: Budget, depth: number): ElementContent[] => {
  charge(budget, 2)
  const words = titles.flatMap((name) => {
    const value = entry.get(name)
    return isWord(value) ? [value] : []
  })
  const href = addressNames.map((name) => entry.get(name)).find((value) => typeof value === 'string' && value !== '')
  const [first, ...rest] = words
  const nested = listNested(entry, budget, depth + 1)
  if (first === undefined && nested.length === 0) return []
  const title = first === undefined ? [] : toTextNode(first, budget)
  const address = typeof href === 'string' && first !== undefined ? href : null
  const more = rest.flatMap((word) => [{ type: 'text' as const, value: ' · ' }, ...toTextNode(word, budget)])
  return [h('li', [...linked(address, title), ...more, ...nested])]
}

const toTextNode = (word: string | number, budget: Budget): ElementContent[] => {
  charge(budget, String(word).length)
  return [{ type: 'text', value: String(word) }]
}

const isWord = (value: Value): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
