import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { AccountEmail, NewPassword } from '@docket/api-types/session'
import { z } from 'zod'
import { blockedPorts, isLoopbackHost, isMetadataHost, isOpenHttp } from '@docket/outbound/addresses'
import { parseProxy } from '@docket/outbound/proxy'
import { parseBaseUrl } from '#ground/config/base-url.ts'
import { AddressMistake, readPostgresAddress } from '#ground/db/address.ts'
import { parseNetwork } from '#ground/http/limits/client-address.ts'

const text = z.string().trim()

/** Reports a mistake. `message` follows the name of the variable and ends the sentence. */
export const reportMistake = (ctx: z.RefinementCtx, message: string) => {
  ctx.addIssue({ code: 'custom', message })
  return z.NEVER
}

/** A whole number from `min` to `max`. The variable's name contains the unit. */
export const wholeNumber = (min: number, max: number) =>
  text.transform((value, ctx) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : reportMistake(ctx, `must be a whole number from ${min} to ${max}`)
  })

/** A sentence about a port that no browser opens; undefined for any other. `port` is `''` for that of the scheme. */
export const findBlockedPort = (port: string): string | undefined =>
  blockedPorts.has(Number(port)) ? `names port ${port}, which browsers refuse to open. Choose another one` : undefined

export const browserPort = wholeNumber(0, 65_535).transform((port, ctx) => {
  const blocked = findBlockedPort(String(port))
  return blocked === undefined ? port : reportMistake(ctx, blocked)
})

export const word = <const T extends readonly string[]>(words: T) =>
  text.pipe(z.enum(words, { error: `must be one of: ${words.join(', ')}` }))

/** True for an address that only this machine can reach, in the notation of `HOST` (IPv6 without brackets). */
export const isLoopbackAddress = (host: string): boolean => isLoopbackHost(host.includes(':') ? `[${host}]` : host)

export const listenHost = text.refine((host) => isIP(host) !== 0 || isLoopbackAddress(host), {
  error: 'must be an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0',
})

/** Name of a schema, under which neither PostgreSQL nor another Docket keeps anything, and whose longest neighbour has 57 characters. */
export const schemaName = text.refine(
  (name) =>
    /^[a-z_][a-z0-9_]{0,39}$/.test(name) &&
    !/^(pg_.*|information_schema|(.*_)?(drizzle|embedded_service|pgboss))$/.test(name),
  {
    error:
      'must be the name of a schema: up to 40 lower-case letters, digits and _, beginning with no digit. Names that begin with pg_, or end with drizzle, embedded_service or pgboss, are taken',
  },
)

const isBareUrl = (url: URL) => url.username === '' && url.password === '' && url.search === '' && url.hash === ''

/** Origin that people open in the browser: scheme, host and port. Plain http only on this machine. */
export const publicAddress = text.transform((value, ctx) => {
  const url = URL.parse(value)
  const fits = url !== null && /^https?:$/.test(url.protocol) && isBareUrl(url) && url.pathname === '/'
  if (!fits) return reportMistake(ctx, 'must be an address without a path, such as https://docket.example.com')
  const blocked = findBlockedPort(url.port)
  if (blocked !== undefined) return reportMistake(ctx, blocked)
  return url.protocol === 'https:' || isLoopbackHost(url.hostname)
    ? url
    : reportMistake(
        ctx,
        'must begin with https://: over plain http, passwords would cross the network for everybody to read',
      )
})

/** Issuer URL of an OpenID Connect provider. Plain http only on this machine. */
export const issuerAddress = text.transform((value, ctx) => {
  const url = URL.parse(value)
  const encrypted = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  return url !== null && encrypted && isBareUrl(url) && !isMetadataHost(url.hostname)
    ? url
    : reportMistake(
        ctx,
        'must be the https:// address of the provider, such as https://login.example.com/realms/company',
      )
})

/** Address of a proxy, perhaps with a user name and a password. */
export const proxyAddress = text.refine((value) => parseProxy(value) !== null, {
  error: 'must be the http:// or https:// address of a proxy, such as http://proxy.example.com:3128',
})

export const words = text.transform((value) => value.split(/[\s,]+/).filter((word) => word !== ''))

/** Base URL of the Admin API; its client defines the rules. */
export const serviceAddress = text.transform((value, ctx) => {
  try {
    parseBaseUrl(value, '')
    return value
  } catch (error) {
    return reportMistake(
      ctx,
      error instanceof Error ? error.message.trim().replace(/\.$/, '') : 'is not a valid address',
    )
  }
})

export const postgresAddress = text.transform((value, ctx) => {
  try {
    readPostgresAddress(value)
    return value
  } catch (error) {
    return reportMistake(ctx, error instanceof AddressMistake ? error.message : 'cannot be read')
  }
})

export const list = text.transform((value) =>
  value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

export const hostName = /^(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})*$/

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Checks what follows `built=`: an archive, or a source of another kind. Null when valid. */
const findBuiltProblem = (place: string, kinds: { mirror: boolean }): string | null => {
  if (!kinds.mirror) return 'names a built site where a folder or git+https://… is needed'
  const isUrl = /^https?:/i.test(place)
  const [address = '', checksum] = isUrl ? place.split('#', 2) : [place]
  const isArchive = checksum !== undefined || /\.(?:zip|tar|tgz|tar\.gz|tar\.zst)$/i.test(address)
  if (place.startsWith('git+') || !isArchive) return findSourceProblem(place, kinds)
  if (!isUrl) return isFile(resolve(place)) ? null : 'names an archive that does not exist'
  if (!/^sha256=[\da-f]{64}$/i.test(checksum ?? '')) return 'names an archive without its #sha256=… of 64 digits'
  return findSourceProblem(address, kinds)
}

/** Checks a documentation source: an existing folder, `git+…`, or a site URL where `kinds.mirror` allows it. Null when valid. */
const findSourceProblem = (source: string, kinds: { mirror: boolean }): string | null => {
  if (source.startsWith('built=')) return findBuiltProblem(source.slice('built='.length), kinds)
  if (source.startsWith('git+')) {
    const url = URL.parse(source.slice(4))
    const allowed =
      url !== null &&
      !isMetadataHost(url.hostname) &&
      (/^(https|file):$/.test(url.protocol) || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    if (!allowed || url.username !== '' || url.password !== '')
      return 'names a repository whose address is not git+https://… or git+file://…, without a password in it'
    return null
  }
  if (/^https?:/i.test(source)) {
    if (!kinds.mirror) return 'names a web page where a folder or git+https://… is needed'
    const url = URL.parse(source)
    return url !== null && isBareUrl(url) && (url.protocol === 'https:' || isLoopbackHost(url.hostname))
      ? null
      : 'names a site to mirror whose address is not https://…'
  }
  return isFolder(resolve(source)) ? null : 'names a folder that does not exist'
}

/** `name=source` pairs. Folders must exist; relative ones start at the working directory. */
const parseSources = (kind: { name: RegExp; example: string; mirror: boolean }) =>
  list.transform((pairs, ctx) => {
    const found: Record<string, string> = {}
    for (const [index, pair] of pairs.entries()) {
      const [first = '', ...rest] = pair.split('=')
      const name = first.trim().toLowerCase()
      const [, render = '', source = ''] = /^(render=)?(.*)$/s.exec(rest.join('=').trim()) ?? []
      if (!kind.name.test(name) || source === '')
        return reportMistake(ctx, `must be pairs such as ${kind.example}; number ${index + 1} is not`)
      if (name in found) return reportMistake(ctx, `names ${name} twice`)
      const problem = findSourceProblem(source, render === '' ? kind : { mirror: false })
      if (problem !== null) return reportMistake(ctx, `${problem} for ${name}`)
      found[name] = render + (/^(built=|git\+|https?:)/i.test(source) ? source : resolve(source))
    }
    return Object.keys(found).length > 0 ? found : reportMistake(ctx, `must name at least one, such as ${kind.example}`)
  })

export const sites = parseSources({ name: hostName, example: 'docs.example.com=./docs', mirror: true })

export const projects = parseSources({
  name: /^(?!sentinel$)(?!.*\.git$)[a-z0-9][\w.-]{0,99}$/,
  example: 'docs=./docs',
  mirror: false,
})

/** URL of an object store: https, or http, which `findOpenStores` refuses for other machines without consent. */
export const storeAddress = text.transform((value, ctx) => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && isBareUrl(url) && !isMetadataHost(url.hostname)
    ? value.replace(/\/+$/, '')
    : reportMistake(
        ctx,
        'must be an https:// address without a password in it, and not the metadata service of a cloud',
      )
})

/** URL of a code host: https, or http on this machine. */
export const codeHostAddress = storeAddress.refine((value) => !isOpenHttp(new URL(value)), {
  error: 'must be an https:// address',
})

export const yesOrNo = text.pipe(z.stringbool({ error: 'must be true or false' }))

const dayKinds: Readonly<Record<string, 'staticExports' | 'agentJobs'>> = {
  'static-exports': 'staticExports',
  'agent-jobs': 'agentJobs',
}
const maxDays = 36_500
const defaultDays = 365

const parseDays = (value: string): number => (/^\d{1,5}$/.test(value) ? Number(value) : 0)

/** Days for every kind of record, or `kind=days` pairs. At least 1; 365 for a kind without a pair. */
export const daysByKind = list.transform((parts, ctx) => {
  const [first = ''] = parts
  const found: Partial<Record<'staticExports' | 'agentJobs', number>> = {}
  const forAll = parts.length === 1 && !first.includes('=')
  const pairs = forAll ? Object.keys(dayKinds).map((kind) => `${kind}=${first}`) : parts
  const wrong = pairs.some((pair) => {
    const [name = '', value = ''] = pair.split('=').map((part) => part.trim())
    const kind = dayKinds[name]
    const days = parseDays(value)
    if (kind === undefined || days < 1 || days > maxDays || found[kind] !== undefined) return true
    found[kind] = days
    return false
  })
  return wrong || pairs.length === 0
    ? reportMistake(ctx, `must be a whole number of days from 1 to ${maxDays}, or static-exports=365,agent-jobs=90`)
    : { staticExports: found.staticExports ?? defaultDays, agentJobs: found.agentJobs ?? defaultDays }
})

/** An absolute path; a relative one starts at the working directory. */
export const path = text.transform((value) => resolve(value))

export const accountEmail = text.transform((value, ctx) => {
  const parsed = AccountEmail.safeParse(value)
  return parsed.success ? parsed.data : reportMistake(ctx, 'must be an e-mail address')
})

/** A new password of valid length. Its strength is checked when the account is created. */
export const newPassword = text.refine((value) => NewPassword.safeParse(value).success, {
  error: 'must have 15 to 256 characters',
})

export const signingSecret = text.refine((value) => value.length >= 32, {
  error: 'must have at least 32 characters, such as openssl rand -base64 32 prints',
})

export const plain = text

/** Path of a file that exists; a relative one starts at the working directory. */
export const existingFile = path.refine(isFile, {
  error: 'must name a file',
})

export const program = existingFile.refine(
  (file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) > 0,
  {
    error: 'must name a program that Docket may run',
  },
)

/** Content of a small file without the space around it; empty when it cannot be read. */
export const readContent = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Reads the value from a file and parses it by `schema`. Messages may show the path, never the content. */
export const fileWith = <T>(schema: z.ZodType<T, string>) =>
  path.transform((file, ctx) => {
    const content = readContent(file)
    if (content === '') return reportMistake(ctx, 'must name a file that Docket can read and that is not empty')
    const parsed = schema.safeParse(content)
    return parsed.success
      ? parsed.data
      : reportMistake(ctx, `holds a value that ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
  })

/** A list, refused with `mistake` when `parse` returns null for an entry. */
const parseEach = <T>(parse: (entry: string) => T | null, mistake: string) =>
  list.transform((entries, ctx) => {
    const found = entries.map(parse).filter((entry) => entry !== null)
    return found.length === entries.length ? found : reportMistake(ctx, mistake)
  })

export const folders = parseEach(
  (text) => (/^\/./.test(text) ? resolve(text) : null),
  'must be folders such as /srv/www, each beginning with a slash',
)

export const networks = parseEach(
  parseNetwork,
  'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8, and not everybody',
)

/** Addresses and networks, checked but left as text. */
export const networkTexts = list.refine((texts) => texts.every((text) => parseNetwork(text) !== null), {
  error: 'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8, and not everybody',
})

/** Parses a host name, or `*.` and a host name. Returns lower case, or null for any other text. */
const parseHostName = (text: string): string | null => {
  const name = text.toLowerCase()
  return hostName.test(name.replace(/^\*\./, '')) ? name : null
}

/** Host names; a leading `*.` matches every name below. */
export const hostNames = parseEach(
  parseHostName,
  'must be host names, such as storage.example.com or *.example.com, without scheme, port and path',
)

/** Parses a host with an optional port and writes it as `URL` does. Null for any other text. */
const parseHost = (text: string): string | null => {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:[1-9]\d{0,4})?$/.exec(text) ?? []
  if (Number(port.slice(1)) > 65_535) return null
  const name = host.startsWith('[') ? URL.parse(`http://${host}`)?.hostname : parseHostName(host)
  return name ? `${name}${port}` : null
}

/** Hosts with an optional port; a leading `*.` matches every name below. */
export const hostsWithPorts = parseEach(
  parseHost,
  'must be hosts, such as storage.example.com, *.example.com:8443 or [fd00::1]:9000, without scheme and path',
)

/** Parses one host with a port, 443 by default. Null for any other text, patterns included. */
const parseHostPort = (text: string): { host: string; port: number } | null => {
  const parsed = text.startsWith('*') ? null : parseHost(text)
  if (parsed === null) return null
  const [, host = '', port = ''] = /^(?:\[(?=.*\]))?(.*?)\]?(?::(\d+))?$/.exec(parsed) ?? []
  return { host, port: port === '' ? 443 : Number(port) }
}

export const hostPorts = parseEach(
  parseHostPort,
  'must be hosts, such as api.example.com, model.internal:8080 or [fd00::1]:11434, without scheme, path and pattern',
)

/** A path of a file that can be read now. Its content is read later, each time it is needed. */
export const readableFile = path.refine((file) => readContent(file) !== '', {
  error: 'must name a file that Docket can read and that is not empty',
})

export const dollars = text.transform((value, ctx) =>
  /^\d{1,6}(\.\d{1,4})?$/.test(value) && Number(value) > 0
    ? Number(value)
    : reportMistake(ctx, 'must be an amount of US dollars above 0, such as 2.50'),
)
