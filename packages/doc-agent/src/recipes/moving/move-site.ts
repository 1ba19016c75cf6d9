import { posix } from 'node:path'
import { isMap, isSeq, type Node, type YAMLMap, type YAMLSeq, isScalar, type Pair } from 'yaml'
import { applyEdits, type Edit, isInFolder, readText } from '#recipes/docs/pages.ts'
import { parseJson, readEntries, type SiteFile, type Sites, type SiteEntry } from '#recipes/navigation/site-files.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import { encodePath } from '#recipes/links/repair-path.ts'
import type { Move } from './move-links.ts'

export type SiteMove = { edits: Map<string, Edit[]>; changed: string[]; findings: string[] }

/** Changes navigation and redirects, and keeps every other character. Throws before writing anything when a change is ambiguous. */
export const planSiteMove = async (sites: Sites, move: Move, work: RecipeWork): Promise<SiteMove> => {
  const { before, after, from, to } = move
  const root = before.findRoot(from)
  if (after.findRoot(to) !== root) throw new Error('The two places belong to different sites. Nothing was moved.')
  const plan: SiteMove = { edits: new Map(), changed: [], findings: [] }
  const texts = new Map<string, string>()
  const own = sites.files.filter((site) => site.root === root && isInFolder(work.folder, site.file))
  for (const site of own) {
    const text = await readText(work.checkout, site.file)
    const read = text === null ? null : readEntries(site, text)
    if (text === null || read === null) {
      if (site.kind === 'docs-json') throw new Error(`${site.file} is no JSON or too large. Nothing was moved.`)
      plan.findings.push(`${site.file} — cannot be read, so its links stay as they are`)
      continue
    }
    texts.set(site.file, text)
    const edits: Edit[] = []
    for (const entry of read.entries) {
      const value = tryMove(entry, site, move, plan)
      if (value !== null) edits.push({ start: entry.start, end: entry.end, text: entry.write(value) })
    }
    plan.edits.set(site.file, edits)
    if (edits.length > 0) plan.changed.push(`${edits.length} in ${site.file}`)
    if (read.computed > 0)
      plan.findings.push(`${site.file} — ${read.computed} of its links are computed and stay as they are`)
  }
  addRedirect(plan, texts, own, { from: toAddress(from, root), to: toAddress(to, root) })
  return plan
}

const tryMove = (entry: Parameters<typeof moveEntry>[0], site: SiteFile, move: Move, plan: SiteMove) => {
  try {
    return moveEntry(entry, site.root, move)
  } catch (error) {
    const reason = (error as Error).message
    if (site.kind === 'docs-json') throw new Error(`${site.file}: ${reason}. Nothing was moved.`, { cause: error })
    plan.findings.push(`${site.file} — ${reason}`)
    return null
  }
}

const addRedirect = (
  plan: SiteMove,
  texts: ReadonlyMap<string, string>,
  own: readonly SiteFile[],
  addresses: { from: string; to: string },
) => {
  const main = own.find(({ kind, file }) => kind === 'docs-json' && /(^|\/)(docs|mint)\.json$/.test(file))
  if (main === undefined) {
    if (own.length > 0)
      plan.findings.push(`No redirect was made: VitePress has none. Let your web server lead ${addresses.from} on`)
    return
  }
  const elsewhere = own.find(({ isRedirects }) => isRedirects)
  const { file } = elsewhere ?? main
  const text = texts.get(file) ?? ''
  const contents = parseJson(text)?.contents as Node | null | undefined
  const place = isMap(contents) || isSeq(contents) ? (contents as YAMLMap<Node, Node> | YAMLSeq<Node>) : null
  if (place === null) throw new Error(`${file} cannot be changed with certainty. Nothing was moved.`)
  const edits = [...(plan.edits.get(file) ?? []), ...planRedirectEdits(place, text, { ...addresses, file })]
  // Of two edits at one place, the later one wins, because it covers the redirect as a whole.
  plan.edits.set(file, [...new Map(edits.map((edit) => [edit.start, edit])).values()])
  if (parseJson(applyEdits(text, plan.edits.get(file)!)) === null)
    throw new Error(`${file} cannot be changed with certainty. Nothing was moved.`)
  if (addresses.from !== addresses.to) plan.changed.push(`a redirect from ${addresses.from} in ${file}`)
}

const toAddress = (file: string, root: string) =>
  `/${posix
    .relative(root, file)
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)(index|readme)$/i, '')}`

/** Null for an entry that does not lead to the page. Throws when the new value cannot be written in the old style. */
const moveEntry = (
  { value, prefix }: Pick<SiteEntry, 'value' | 'prefix'>,
  root: string,
  { before, after, from, to }: Move,
): string | null => {
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? []
  const findFile = (entry: string, space: typeof before) => space.fileAt(posix.join(root, entry.replace(/^\/+/, '')))
  const whole = path.startsWith('/') ? path : prefix + path
  if (path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path) || findFile(whole, before) !== from) return null
  const bare = posix.relative(root, to).replace(/\.mdx?$/i, '')
  const ending = /\.(mdx?|html)$/i.exec(path)?.[0] ?? ''
  const isFolder = !/(^|\/)(index|readme)(\.mdx?)?$/i.test(path)
  const short = isFolder ? bare.replace(/(^|\/)(index|readme)$/i, '') : bare
  const lead = path.startsWith('/') ? '/' : prefix.replace(/^\/+/, '')
  const ways = [short, bare].map((way) => (path.startsWith('/') ? '/' : '') + encodePath(way) + ending)
  const way = ways.find((one) => findFile(decodeURIComponent(one), after) === to)
  if (way === undefined || (!path.startsWith('/') && !way.startsWith(lead)))
    throw new Error(`The entry ${JSON.stringify(value)} cannot be written anew`)
  return (path.startsWith('/') ? way : way.slice(lead.length)) + tail
}

type Redirect = { from: string; to: string; file: string }

type JsonPair = Pair<Node, Node>

/** Rewrites redirects from either address, so that none forms a loop. Throws when a pattern or several redirects conflict. */
const planRedirectEdits = (place: YAMLMap<Node, Node> | YAMLSeq<Node>, text: string, redirect: Redirect): Edit[] => {
  const { from, to, file } = redirect
  if (from === to) return []
  const map = isMap(place) ? (place as YAMLMap<Node, Node>) : null
  const value = map === null ? place : findPair(map, 'redirects')?.value
  if (map !== null && value === undefined) return [formatFirstRedirect(map, text, redirect)]
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
    return [createEdit(source.value!, from), createEdit(destination.value!, to)]
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

const covers = (pattern: string, address: string) => {
  const parts = plain(pattern).split('/')
  const own = plain(address).split('/')
  return parts.every((part, index) => /[:*()]/.test(part) || part === own[index])
}

const toRange = (node: Node) => ({ start: node.range![0], end: node.range![1] })
const createEdit = (node: Node, value: string): Edit => ({ ...toRange(node), text: JSON.stringify(value) })

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

const formatFirstRedirect = (map: YAMLMap<Node, Node>, text: string, redirect: Redirect): Edit => {
  const last = map.items.at(-1) as JsonPair | undefined
  if (last === undefined) throw new Error(`${redirect.file} is empty. Nothing was moved.`)
  const { end } = toRange(last.value!)
  const lead = readIndent(map, text)
  return { start: end, end, text: `,${lead}"redirects":${lead === '' ? '' : ' '}${formatList(text, map, redirect)}` }
}
