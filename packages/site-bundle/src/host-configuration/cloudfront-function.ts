import { isExact } from '#locator/rule-matcher.ts'
import type { HostedSite } from './hosted-site.ts'
import { pageEndings, type HostedRule } from './located-site.ts'
import { listForms, toComment } from './text.ts'

/** Bytes of a function, and the entries and bytes of a key value store, as CloudFront allows them. */
export const maxFunctionBytes = 10_240
const maxPatternBytes = 4_000
const maxKeyChars = 512
const maxValueChars = 1_024
const maxStoreBytes = 5 * 1024 ** 2 - 1_024

type Entry = { key: string; value: string }

const [pageKinds, indexKinds] = ['fgh', 'dei']

const isRedirect = ({ status }: HostedRule) => status >= 300 && status < 400

/** What the function does for a rule: redirects, answers with a status alone, or with a file. */
const writeAction = (rule: HostedRule, path: string) => {
  const { status, to, page } = rule
  if (isRedirect(rule)) return `${status} ${to!.startsWith('/') ? path + to!.slice(1) : to}`
  return status === 200 && page !== null ? `200 ${path}${page}` : `${status === 200 ? 404 : status} `
}

/**
 * What is at an address without a slash at its end: `x` a file, `f`, `g` and `h` a page by its ending, `d`, `e` and `i` an index of a folder.
 * Keys with `=` have another file, or `/` for a redirect to the same with a slash more or less; those with `>` a rule.
 */
const listEntries = (site: HostedSite, tabled: readonly HostedRule[]): Entry[] => {
  const { path, paths, rules, exceptions, queried } = site
  const kinds = new Map<string, string>()
  const add = (address: string, kind: string) => kinds.set(address, (kinds.get(address) ?? '') + kind)
  const hasPatterns = rules.some((rule) => !isExact(rule))
  for (const file of paths) {
    const address = path + file
    const place = pageEndings.findIndex((ending) => file.endsWith(ending))
    if (place !== -1) {
      const bare = address.slice(0, -pageEndings[place]!.length)
      add(bare, pageKinds![place]!)
      if (bare.endsWith('/index')) add(bare.replace(/(.)\/index$|index$/, '$1'), indexKinds![place]!)
    }
    const hidesPage = [...pageEndings, ...pageEndings.map((ending) => `/index${ending}`)].some((ending) =>
      paths.has(file + ending),
    )
    if (hidesPage || hasPatterns || path !== '/' || exceptions.size > 0) add(address, 'x')
  }
  const entries = [...kinds].map(([key, value]) => ({ key, value }))
  for (const [address, file] of exceptions)
    entries.push({ key: `=${path}${address}`, value: file === '/' ? '/' : path + file })
  for (const { address, query, file } of queried)
    for (const form of listForms(address)) entries.push({ key: `=${path}${form}?${query}`, value: path + file })
  for (const rule of tabled)
    for (const form of listForms(rule.from.replace(/(.)\/$/, '$1')))
      entries.push({
        key: `>${path}${form.slice(1)}`,
        value: (rule.isForced === true ? '!' : '') + writeAction(rule, path),
      })
  return [...new Map(entries.toReversed().map((entry) => [entry.key, entry])).values()].toReversed()
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
  return { statusCode, statusDescription: 'Redirect', headers: { location: { value: location } } }
}

const encode = (path) => path.split('/').map(encodeURIComponent).join('/')

// Names of a rule and what they stand for, or null.
const match = (parts, uri, query, asked) => {
  const raw = uri.split('/')
  const values = {}
  const hasRest = parts[parts.length - 1] === '*'
  if (!hasRest && raw.length > 2 && raw[raw.length - 1] === '') raw.pop()
  const count = hasRest ? parts.length - 1 : parts.length
  if (hasRest ? raw.length <= count : raw.length !== count) return null
  for (let i = 0; i < count; i++) {
    const name = /^:([a-z]\w*)(\(number\))?$/i.exec(parts[i])
    if (name === null) {
      if ((decode(raw[i]) || '').normalize('NFC') !== parts[i]) return null
    } else if (raw[i] === '' || (name[2] && !/^\d+$/.test(raw[i]))) return null
    else values[name[1]] = raw[i]
  }
  if (hasRest) values.splat = raw.slice(count).join('/')
  if (hasRest && values.splat[0] === '/') return null
  for (const key of Object.keys(query)) {
    const value = asked[key] && (decode(asked[key].value.replace(/\+/g, ' ')) || '')
    if (value === undefined || (query[key][0] !== ':' && query[key] !== value)) return null
    if (query[key][0] === ':') values[query[key].slice(1)] = encodeURIComponent(value)
  }
  return values
}

const apply = (action, values, query) => {
  const status = Number(action.slice(0, 3))
  const to = action.slice(4).replace(/:([a-z]\w*)/gi, (all, name) => (values[name] === undefined ? all : values[name]))
  if (status === 200) return { uri: encode(to) }
  return status > 400 ? { statusCode: status } : redirect(status, to, query)
}

const follow = async (uri, bare, asked, query, forced) => {
  const action = await find('>' + bare)
  if (action !== '' && (action[0] === '!') === forced) return apply(action.replace('!', ''), {}, query)
  for (const rule of patterns) {
    const values = !forced || rule[2] ? match(rule[0], uri, rule[3] || {}, asked) : null
    if (values !== null) return apply(rule[1], values, rule[3] ? '' : query)
  }
  return null
}

const locate = async (uri, path, asked) => {
  const query = readQuery(asked)
  const isFolder = path[path.length - 1] === '/'
  const bare = path.length > 1 && isFolder ? path.slice(0, -1) : path
  const slashed = isFolder ? uri.replace(/(\/|%2f)$/i, '') : uri + '/'
  const forced = hasForced ? await follow(uri, bare, asked, query, true) : null
  if (forced !== null) return forced
  const named = hasNamed ? (query !== '' && (await find('=' + path + '?' + (decode(query) || query)))) || (await find('=' + path)) : ''
  if (named === '/') return redirect(308, slashed, query)
  if (named !== '') return { uri: encode(named) }
  const found = await find(bare)
  const page = /f/.exec(found) || /g/.exec(found) || /h/.exec(found)
  const index = /d/.exec(found) || /e/.exec(found) || /i/.exec(found)
  if (isFolder) {
    if (index) return { uri: uri + 'index' + endings['dei'.indexOf(index[0])] }
    if (page && path.length > 1) return redirect(308, slashed, query)
  } else {
    if (found.indexOf('x') !== -1) return { uri }
    if (page) return { uri: uri + endings['fgh'.indexOf(page[0])] }
    if (index) return redirect(308, slashed, query)
  }
  return follow(uri, bare, asked, query, false)
}

async function handler(event) {
  const request = event.request
  const uri = request.uri
  const path = decode(uri)
  // Browsers would take a redirect of such an address for another host.
  if (path === null || path[0] !== '/' || path[1] === '/' || path.indexOf('\\') !== -1)
    return { statusCode: 404, statusDescription: 'Not Found' }
  const isBelow = path.indexOf(mount) === 0
  const isMount = path + '/' === mount
  const found = isBelow
    ? await locate(uri, path, request.querystring)
    : await locate(isMount ? mount : mount + uri.slice(1), isMount ? mount : mount + path.slice(1), request.querystring)
  if (found === null || found.statusCode === 404) {
    // What has no name in the table is a file, or nothing.
    if (found !== null || !isBelow) request.uri = mount + '.docket-nothing'
    return request
  }
  if (!isBelow && found.statusCode !== 410)
    return redirect(302, isMount ? mount : mount + uri.slice(1), readQuery(request.querystring))
  if (found.uri === undefined) return found
  request.uri = found.uri
  return request
}
`

/** `store` is the content of its key value store, and null when it needs none. */
export type CloudFrontFunction = { code: string; store: string | null; leftOut: string[] }

/** Written for CloudFront Functions runtime 2.0. */
export const writeCloudFrontFunction = (site: HostedSite): CloudFrontFunction => {
  const leftOut: string[] = []
  const patterns: string[] = []
  const { path, rules, exceptions, queried } = site
  // A rule that reads the query, and what has the same address, are looked at one after the other.
  const asking = new Set(rules.flatMap(({ query, from }) => (query === undefined ? [] : from)))
  const isTabled = (rule: HostedRule) => isExact(rule) && !asking.has(rule.from)
  let patternBytes = 0
  for (const rule of rules.filter((one) => !isTabled(one))) {
    const { from, query, isForced } = rule
    const parts = (path + from.slice(1))
      .replace(/(.)\/$/, '$1')
      .normalize('NFC')
      .split('/')
    const line = `  ${toAscii(JSON.stringify([parts, writeAction(rule, path), isForced === true, ...(query === undefined ? [] : [query])]))},\n`
    patternBytes += line.length
    if (patternBytes > maxPatternBytes) leftOut.push(`${toComment(from)}: the function has no more room for patterns`)
    else patterns.push(line)
  }
  const facts = {
    mount: path,
    endings: pageEndings,
    hasForced: rules.some(({ isForced }) => isForced === true),
    hasNamed: exceptions.size + queried.length > 0,
  }
  const constants = Object.entries(facts).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}\n`)
  const rest = `${constants.join('')}const patterns = [\n${patterns.join('')}]\n${handler}`
  const head = `// Made by Docket from the bundle ${site.sha256}.\n`
  const entries = listEntries(site, rules.filter(isTabled))
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
