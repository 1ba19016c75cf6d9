import { codedJson, type CodedJson } from '#http/polled/coded-json.ts'
import { deltaItems, type PageItems } from '#http/polled/delta.ts'
import { printOf, type Held, type Named } from '#http/polled/entity-tags.ts'

/** An answer that is ready to be sent to any number of readers. */
export type MadeAnswer = Named & {
  whole: CodedJson
  /** Its items, when it is a page: who holds them can be sent a delta. */
  page: PageItems | null
  /** What a reader who holds an older page needs; null when that is everything. */
  since: (held: Held, heldPage: PageItems) => CodedJson | null
}

/** Readers come with few different pages at a time. */
const mostDeltas = 8

/** Serializes a value that fits its contract. Something with `items` is a page; `keyOf` names the record of an item. */
export const makeAnswer = (
  value: object,
  name: Pick<Named, 'tag' | 'until'>,
  keyOf: (item: object) => string | null = () => null,
): MadeAnswer => {
  const { items, ...rest } = value as { items?: unknown }
  if (!Array.isArray(items)) {
    const json = JSON.stringify(value)
    return { ...name, print: printOf(json), whole: codedJson(json), page: null, since: () => null }
  }
  const page: PageItems = items.map((item: object) => {
    const json = JSON.stringify(item)
    return { print: printOf(json), key: keyOf(item), item, json }
  })
  const others = JSON.stringify(rest).slice(1)
  const withItems = (list: string) => `"items":${list}${others === '}' ? '' : ','}${others}`
  const json = `{${withItems(`[${page.map((item) => item.json).join(',')}]`)}`
  const deltas = new Map<string, CodedJson | null>()
  return {
    ...name,
    print: printOf(json),
    whole: codedJson(json),
    page,
    since: (held, heldPage) => {
      const known = deltas.get(held.text)
      if (known !== undefined) return known
      const list = deltaItems(heldPage, page)
      const made = list === null ? null : codedJson(`{"base":${JSON.stringify(held.text)},${withItems(list)}`)
      if (deltas.size >= mostDeltas) deltas.clear()
      deltas.set(held.text, made)
      return made
    },
  }
}
