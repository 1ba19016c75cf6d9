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

/** What the function does for a rule: redirects, answers with a status alone, or with a file. */
const writeAction = ({ status, page, target }: HostedRule, path: string) => {
  if (target !== null) return `${status} ${target.address}${target.fragment}`
  return `${status} ${status === 200 ? path + page! : ''}`
}

/**
 * What is at an address without a slash at its end: a space for a file, `.html` for a page, `/index.html` for the page of a folder.
 * Keys with `=` have another file, or `/` for a redirect to the same with a slash more or less; those with `>` a rule.
 */
const listEntries = ({ path, paths, rules, exceptions }: HostedSite): Entry[] => {
  const kinds = new Map<string, string>()
  const add = (address: string, kind: string) => kinds.set(address, `${kinds.get(address) ?? ''}${kind}`)
  const endings = [...pageEndings, ...pageEndings.map((ending) => `/index${ending}`)]
  const isNeeded = path !== '/' || exceptions.size > 0 || rules.some(({ exact }) => exact === null)
  for (const ending of endings)
    for (const file of paths) {
      const isStart = `/${file}` === ending
      if (isStart || file.endsWith(ending))
        add((path + (isStart ? '' : file.slice(0, -ending.length))).replace(/(.)\/$/, '$1'), ending)
    }
  for (const file of paths) if (isNeeded || endings.some((ending) => paths.has(file + ending))) add(path + file, ' ')
  const entries = [...kinds].map(([key, value]) => ({ key, value }))
  for (const [address, file] of exceptions)
    entries.push({ key: `=${path}${address}`, value: file === '/' ? '/' : path + file })
  for (const rule of rules)
    for (const form of rule.exact === null ? [] : listForms(rule.exact))
      entries.push({ key: `>${(path + form.slice(1)).replace(/(.)\/$/, '$1')}`, value: writeAction(rule, path) })
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
const match = (parts, uri) => {
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
  return hasRest && values.splat[0] === '/' ? null : values
}

const follow = async (uri, bare, query) => {
  let action = await find('>' + bare)
  let values = {}
  for (let i = 0; action === '' && i < patterns.length; i++) {
    const matched = match(patterns[i][0], uri)
    if (matched === null) continue
    action = patterns[i][1]
    values = matched
  }
  // What has no name in the table is a file, or nothing.
  if (action === '') return { uri }
  const status = Number(action.slice(0, 3))
  const to = action.slice(4).replace(/:([a-z]\w*)/gi, (all, name) => (values[name] === undefined ? all : values[name]))
  if (status === 200) return { uri: encode(to) }
  return status < 400 ? redirect(status, to, query) : { statusCode: status }
}

const locate = async (uri, path, query) => {
  const isFolder = path[path.length - 1] === '/'
  const bare = path.length > 1 && isFolder ? path.slice(0, -1) : path
  const slashed = redirect(308, isFolder ? uri.replace(/(\/|%2f)$/i, '') : uri + '/', query)
  const named = hasNamed ? await find('=' + path) : ''
  if (named !== '') return named === '/' ? slashed : { uri: encode(named) }
  const found = await find(bare)
  const page = path === '/' ? null : /^\.\w+/.exec(found)
  const index = /\/(index\.\w+)/.exec(found)
  if (isFolder && index) return { uri: uri + index[1] }
  if (!isFolder && found.indexOf(' ') !== -1) return { uri }
  if (!isFolder && page) return { uri: uri + page[0] }
  return page || index ? slashed : follow(uri, bare, query)
}

async function handler(event) {
  const request = event.request
  const uri = request.uri
  const path = decode(uri)
  // Browsers would take a redirect of such an address for another host.
  const isElsewhere = path === null || path[0] !== '/' || path[1] === '/' || path.indexOf('\\') !== -1
  const query = readQuery(request.querystring)
  if (!isElsewhere && path.indexOf(mount) !== 0)
    return redirect(302, path + '/' === mount ? mount : mount + uri.slice(1), query)
  const found = isElsewhere ? { statusCode: 404 } : await locate(uri, path, query)
  if (found.statusCode === 404) request.uri = mount + '.docket-nothing'
  else if (found.uri === undefined) return found
  else request.uri = found.uri
  return request
}
`

/** Written for CloudFront Functions runtime 2.0. `store` is the content of its key value store, and null when it needs none. */
export const writeCloudFrontFunction = (site: HostedSite) => {
  const leftOut: string[] = []
  const patterns: string[] = []
  const { path, rules, exceptions } = site
  let patternBytes = 0
  for (const rule of rules.filter(({ exact }) => exact === null)) {
    const { from } = rule
    const parts = (path + from.slice(1))
      .replace(/(.)\/$/, '$1')
      .normalize('NFC')
      .split('/')
    const line = `  ${toAscii(JSON.stringify([parts, writeAction(rule, path)]))},\n`
    patternBytes += line.length
    if (patternBytes > maxPatternBytes) leftOut.push(`${toComment(from)}: the function has no more room for patterns`)
    else patterns.push(line)
  }
  const facts = `const mount = ${JSON.stringify(path)}\nconst hasNamed = ${exceptions.size > 0}\n`
  const rest = `${facts}const patterns = [\n${patterns.join('')}]\n${handler}`
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
