import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Edit } from '#recipes/docs/pages.ts'

/** Addresses a page had and gets, from the root of the site; and the file they are for. */
type Redirect = { from: string; to: string; file: string }

type JsonPair = Pair<Node, Node>

/**
 * Edits that append a redirect in the style of the previous one. Rewrites existing redirects from either address, so
 * that none forms a loop. Throws with a sentence when a pattern or several redirects conflict.
 */
export const redirectEdits = (place: YAMLMap<Node, Node> | YAMLSeq<Node>, text: string, redirect: Redirect): Edit[] => {
  const { from, to, file } = redirect
  if (from === to) return []
  const map = isMap(place) ? (place as YAMLMap<Node, Node>) : null
  const value = map === null ? place : findPair(map, 'redirects')?.value
  if (map !== null && value === undefined) return [firstRedirect(map, text, redirect)]
  if (!isSeq(value)) throw new Error(`The redirects of ${file} are no list. Nothing was moved.`)
  const items = value.items.filter((item): item is YAMLMap<Node, Node> => isMap(item))
  const inTheWay = items.filter((item) => {
    const source = readSource(item)
    if (source !== null && /[:*()]/.test(source) && [from, to].some((address) => covers(source, address)))
      throw new Error(`The redirect from ${source} in ${file} is about one of the two addresses. Nothing was moved.`)
    return source !== null && [from, to].some((address) => plain(source) === plain(address))
  })
  const [existing, ...more] = inTheWay
  if (more.length > 0) throw new Error(`${file} has several redirects from the two addresses. Nothing was moved.`)
  if (existing) {
    const destination = findPair(existing, 'destination')
    const source = findPair(existing, 'source')
    if (!destination || !source) throw new Error(`A redirect of ${file} has no destination. Nothing was moved.`)
    return [edit(source.value!, from), edit(destination.value!, to)]
  }
  const last = items.at(-1)
  if (last === undefined) return [{ ...toRange(value), text: formatList(text, map, redirect) }]
  const end = toRange(last).end
  return [{ start: end, end, text: betweenItems(value.items as Node[], text) + formatLike(last, text, redirect) }]
}

const findPair = (map: YAMLMap<Node, Node>, name: string) =>
  map.items.find(({ key }) => isScalar(key) && key.value === name) as JsonPair | undefined

const readSource = (item: YAMLMap<Node, Node>) => {
  const value = findPair(item, 'source')?.value
  return isScalar(value) && typeof value.value === 'string' ? value.value : null
}

const plain = (address: string) => address.replace(/^\/+|\/+$/g, '').toLowerCase()

/** True when a pattern may match an address. */
const covers = (pattern: string, address: string) => {
  const parts = plain(pattern).split('/')
  const own = plain(address).split('/')
  return parts.every((part, index) => /[:*()]/.test(part) || part === own[index])
}

const toRange = (node: Node) => ({ start: node.range![0], end: node.range![1] })
const edit = (node: Node, value: string): Edit => ({ ...toRange(node), text: JSON.stringify(value) })

const betweenItems = (items: readonly Node[], text: string) => {
  const [before, last] = [items.at(-2), items.at(-1)!]
  if (before) return text.slice(toRange(before).end, toRange(last).start)
  return `,${/\s*$/.exec(text.slice(0, toRange(last).start))![0]}`
}

const formatLike = (model: YAMLMap<Node, Node>, text: string, { from, to }: Redirect) => {
  const [first, second] = model.items as JsonPair[]
  const { start, end } = toRange(model)
  const [key, value] = [toRange(first!.key), toRange(first!.value!)]
  const open = text.slice(start, key.start)
  const colon = text.slice(key.end, value.start)
  const between = second ? text.slice(value.end, toRange(second.key).start) : ', '
  const close = text.slice(toRange((model.items.at(-1) as JsonPair).value!).end, end)
  return `${open}"source"${colon}${JSON.stringify(from)}${between}"destination"${colon}${JSON.stringify(to)}${close}`
}

/** Blanks before the first key of an object, which tell how it is indented. */
const readIndent = (map: YAMLMap<Node, Node>, text: string) => {
  const [first] = map.items as JsonPair[]
  return first ? text.slice(toRange(map).start + 1, toRange(first.key).start) : ''
}

const formatList = (text: string, map: YAMLMap<Node, Node> | null, { from, to }: Redirect) => {
  const lead = map === null ? '\n' : readIndent(map, text)
  const unit = /[ \t]*$/.exec(lead)![0]
  const [outer, inner] = lead.includes('\n') ? [lead, lead + unit] : ['', '']
  const space = lead === '' ? '' : ' '
  const redirect = `{${space}"source":${space}${JSON.stringify(from)},${space}"destination":${space}${JSON.stringify(to)}${space}}`
  return `[${inner}${redirect}${outer}]`
}

const firstRedirect = (map: YAMLMap<Node, Node>, text: string, redirect: Redirect): Edit => {
  const last = map.items.at(-1) as JsonPair | undefined
  if (last === undefined) throw new Error(`${redirect.file} is empty. Nothing was moved.`)
  const { end } = toRange(last.value!)
  const lead = readIndent(map, text)
  return { start: end, end, text: `,${lead}"redirects":${lead === '' ? '' : ' '}${formatList(text, map, redirect)}` }
}
