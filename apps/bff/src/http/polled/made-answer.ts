import { codedJson, type CodedJson } from '#http/polled/coded-json.ts'
import { deltaItems } from '#http/polled/delta.ts'
import { printOf, type Held, type Named } from '#http/polled/entity-tags.ts'

/** An answer that is ready to be sent to any number of readers. */
export type MadeAnswer = Named & {
  whole: CodedJson
  /** Names of its items, when it is a page: who holds them can be sent a delta. */
  itemPrints: readonly string[] | null
  /** What a reader who holds an older page needs; null when that is everything. */
  since: (held: Held, heldPrints: readonly string[]) => CodedJson | null
}

/** Readers come with few different pages at a time. */
const mostDeltas = 8

/** Serializes a value that fits its contract. Something with `items` is a page. */
export const makeAnswer = (value: object, name: Pick<Named, 'tag' | 'until'>): MadeAnswer => {
  const { items, ...rest } = value as { items?: unknown }
  if (!Array.isArray(items)) {
    const json = JSON.stringify(value)
    return { ...name, print: printOf(json), whole: codedJson(json), itemPrints: null, since: () => null }
  }
  const parts = items.map((item) => JSON.stringify(item))
  const others = JSON.stringify(rest).slice(1)
  const withItems = (list: string) => `"items":${list}${others === '}' ? '' : ','}${others}`
  const json = `{${withItems(`[${parts.join(',')}]`)}`
  const itemPrints = parts.map(printOf)
  const deltas = new Map<string, CodedJson | null>()
  return {
    ...name,
    print: printOf(json),
    whole: codedJson(json),
    itemPrints,
    since: (held, heldPrints) => {
      const known = deltas.get(held.text)
      if (known !== undefined) return known
      const list = deltaItems(heldPrints, itemPrints, parts)
      const made = list === null ? null : codedJson(`{"base":${JSON.stringify(held.text)},${withItems(list)}`)
      if (deltas.size >= mostDeltas) deltas.clear()
      deltas.set(held.text, made)
      return made
    },
  }
}
