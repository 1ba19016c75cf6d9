import type { HostedSite } from './hosted-site.ts'
import { toComment } from './text.ts'

/** Bytes of a function, and the entries and bytes of a key value store, as CloudFront allows them. */
export const maxFunctionBytes = 10_240
const maxPrefixBytes = 4_000
const maxKeyChars = 512
const maxValueChars = 1_024
const maxStoreBytes = 5 * 1024 ** 2 - 1_024

type Entry = { key: string; value: string }

/** What is at an address: `x` a file, `f` a page `….html`, `d` a page `…/index.html`, and `>` a redirect. */
const listEntries = ({ path, paths, exact, prefixes }: HostedSite): Entry[] => {
  const kinds = new Map<string, string>()
  const add = (address: string, kind: string) => kinds.set(address, (kinds.get(address) ?? '') + kind)
  for (const file of paths) {
    const address = path + file
    const bare = address.replace(/\/?index\.html$/, '')
    if (file === 'index.html' || file.endsWith('/index.html')) add(bare === '' ? '/' : bare, 'd')
    if (file.endsWith('.html')) add(address.slice(0, -'.html'.length), 'f')
    const hidesPage = paths.has(`${file}.html`) || paths.has(`${file}/index.html`)
    if (hidesPage || prefixes.some(({ from }) => address.startsWith(from))) add(address, 'x')
  }
  for (const { from, to } of exact) if (!kinds.has(from)) kinds.set(from, `>${to}`)
  return [...kinds].map(([key, value]) => ({ key, value }))
}

const toAscii = (json: string) =>
  json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const lookUps = {
  table: (entries: readonly Entry[]) => {
    const lines = entries.map(({ key, value }) => `  ${toAscii(JSON.stringify(key))}: ${JSON.stringify(value)},\n`)
    return `const table = {\n${lines.join('')}}\nconst find = async (key) => table[key] || ''\n`
  },
  store:
    "import cf from 'cloudfront'\n\nconst store = cf.kvs()\nconst find = async (key) => {\n  try {\n    return await store.get(key)\n  } catch (error) {\n    return ''\n  }\n}\n",
}

const handler = String.raw`
const decode = (text) => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    return null
  }
}

const readQuery = (querystring) =>
  Object.keys(querystring)
    .map((name) =>
      (querystring[name].multiValue || [querystring[name]])
        .map((one) => (one.value === '' ? name : name + '=' + one.value))
        .join('&'),
    )
    .join('&')

const redirect = (statusCode, to, query) => {
  const parts = to.split('#')
  const mark = parts[0].indexOf('?') === -1 ? '?' : '&'
  const address = query === '' ? parts[0] : parts[0] + mark + query
  const location = parts.length === 1 ? address : address + '#' + parts.slice(1).join('#')
  return { statusCode, statusDescription: statusCode === 308 ? 'Permanent Redirect' : 'Found', headers: { location: { value: location } } }
}

async function handler(event) {
  const request = event.request
  const uri = request.uri
  const path = decode(uri)
  // Browsers would take a redirect of such an address for another host.
  if (path === null || path[0] !== '/' || path[1] === '/' || path.indexOf('\\') !== -1)
    return { statusCode: 404, statusDescription: 'Not Found' }
  const isFolder = path[path.length - 1] === '/'
  const query = readQuery(request.querystring)
  const found = await find(path.length > 1 && isFolder ? path.slice(0, -1) : path)
  if (found[0] === '>') return redirect(302, found.slice(1), query)
  if (isFolder) {
    if (found.indexOf('d') !== -1) {
      request.uri = uri + 'index.html'
      return request
    }
    if (found.indexOf('f') !== -1) return redirect(308, uri.slice(0, -1), query)
  } else {
    if (found.indexOf('x') !== -1) return request
    if (found.indexOf('f') !== -1) {
      request.uri = uri + '.html'
      return request
    }
    if (found.indexOf('d') !== -1) return redirect(308, uri + '/', query)
  }
  for (const rule of prefixes) {
    const rest = uri.split('/').slice(rule[0].split('/').length - 1).join('/')
    if (path.indexOf(rule[0]) === 0 && decode(rest) === path.slice(rule[0].length) && rest[0] !== '/')
      return redirect(302, rule[2] === null ? rule[1] : rule[1] + rest + rule[2], query)
  }
  return request
}
`

/** `store` is the content of its key value store, and null when it needs none. */
export type CloudFrontFunction = { code: string; store: string | null; leftOut: string[] }

/** Written for CloudFront Functions runtime 2.0. */
export const writeCloudFrontFunction = (site: HostedSite): CloudFrontFunction => {
  const leftOut: string[] = []
  const rules: string[] = []
  let prefixBytes = 0
  for (const { from, before, after } of site.prefixes) {
    const rule = `  ${toAscii(JSON.stringify([from, before, after]))},\n`
    prefixBytes += rule.length
    if (prefixBytes > maxPrefixBytes) leftOut.push(`${toComment(from)}*: the function has no more room for patterns`)
    else rules.push(rule)
  }
  const rest = `const prefixes = [\n${rules.join('')}]\n${handler}`
  const head = `// Made by Docket from the bundle ${site.sha256}.\n`
  const entries = listEntries(site)
  const whole = head + lookUps.table(entries) + rest
  if (Buffer.byteLength(whole) <= maxFunctionBytes) return { code: whole, store: null, leftOut }
  const data: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    const entryBytes = Buffer.byteLength(JSON.stringify(entry)) + 2
    if (entry.key.length > maxKeyChars || entry.value.length > maxValueChars)
      leftOut.push(`${toComment(entry.key)}: longer than a key value store takes`)
    else if (bytes + entryBytes > maxStoreBytes) leftOut.push(`${toComment(entry.key)}: the key value store is full`)
    else {
      bytes += entryBytes
      data.push(entry)
    }
  }
  const lines = data.map((entry) => JSON.stringify(entry)).join(',\n')
  return { code: head + lookUps.store + rest, store: `{"data":[\n${lines}\n]}\n`, leftOut }
}
