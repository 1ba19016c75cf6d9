import { readFileSync } from 'node:fs'
import { getCACertificates, type ConnectionOptions } from 'node:tls'
import { Client, type ClientConfig } from 'pg'

/** An address of PostgreSQL that Docket cannot use. The message follows the name of its setting, and has nothing of a password. */
export class AddressMistake extends Error {
  override readonly name = 'AddressMistake'
}

/** A host, or the folder of a Unix socket, with its port. */
export type PostgresHost = { host: string; port: number }

/** What an address says. `hosts` are tried in this order, until a server takes the connection and `accepts` what Docket does. */
export type PostgresConfig = ClientConfig & { hosts?: PostgresHost[]; accepts?: 'any' | 'read-write' | 'primary' }

const example = 'postgresql://db.example.com/docket'
const encode = 'percent-encode @ : / ? # % in the password and everywhere else'
const unreadable = { hostaddr: 'host', passfile: 'a password, or DATABASE_URL_FILE', service: 'the address itself' }
const targets = ['any', 'read-write', 'primary'] as const
const modes = ['disable', 'no-verify', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'] as const

const decode = (text: string): string => {
  try {
    const decoded = decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))
    if (!decoded.includes('\0')) return decoded
  } catch {}
  throw new AddressMistake(`has a character that is not UTF-8: ${encode}`)
}

const readPem = (parameter: string, file: string, kind: RegExp): string => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AddressMistake(`names a file in ${parameter} that Docket cannot read (${code}): ${file}`)
  }
  if (kind.test(text)) return text
  throw new AddressMistake(`names a file in ${parameter} that holds none in PEM: ${file}`)
}

const hasCertificate = /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/
const systemRoots = () => [...getCACertificates('default'), ...getCACertificates('system')]

/** Undefined where the address says nothing of TLS. Only `disable` and `no-verify` accept a server that nobody vouches for. */
const readTls = (has: ReadonlyMap<string, string>): boolean | ConnectionOptions | undefined => {
  const [root, cert, key] = [has.get('sslrootcert'), has.get('sslcert'), has.get('sslkey')]
  const old = { true: 'require', 1: 'require', false: 'disable', 0: 'disable' }[has.get('ssl') ?? ''] ?? has.get('ssl')
  const mode = has.get('sslmode') ?? old
  if (mode !== undefined && !modes.includes(mode))
    throw new AddressMistake(`has an sslmode that Docket does not know. Use one of: ${modes.join(', ')}`)
  if (mode === 'disable') return false
  if ((cert === undefined) !== (key === undefined))
    throw new AddressMistake('has only one of sslcert and sslkey. Name both files')
  if ((mode ?? root ?? cert) === undefined) return has.get('sslnegotiation') === 'direct' ? true : undefined
  const compatible = has.get('uselibpqcompat') === 'true'
  const lax = mode === 'no-verify' || (compatible && root === undefined && /^(allow|prefer|require)$/.test(mode ?? ''))
  const anyName =
    root !== undefined && root !== 'system' && (mode === 'verify-ca' || (compatible && mode === 'require'))
  return {
    ...(lax && { rejectUnauthorized: false }),
    ...(anyName && { checkServerIdentity: () => undefined }),
    ...(root !== undefined && { ca: root === 'system' ? systemRoots() : readPem('sslrootcert', root, hasCertificate) }),
    ...(cert !== undefined && { cert: readPem('sslcert', cert, hasCertificate) }),
    ...(key !== undefined && { key: readPem('sslkey', key, /-----BEGIN [A-Z ]*PRIVATE KEY-----/) }),
  }
}

const readHosts = (text: string, has: ReadonlyMap<string, string>): PostgresHost[] => {
  const listed = text.split(',').map((host) => /^(\[[^\]]+\]|[^:[\]]*)(?::(\d*))?$/.exec(host))
  if (listed.includes(null))
    throw new AddressMistake(`must name hosts, each with a port at most, such as ${example}; ${encode}`)
  const named = listed.map((found) => decode(found![1]!.replace(/^\[(.*)\]$/, '$1')))
  const hosts = has.get('host')?.split(',') ?? named
  const ports = has.get('port')?.split(',') ?? listed.map((found) => found![2] ?? '')
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new AddressMistake('names another number of ports than of hosts')
  // PGHOST and PGPORT, or what pg takes without them.
  const usual = new Client()
  return hosts.map((host, index) => {
    const port = (ports.length === 1 ? ports[0]! : ports[index]!) || String(usual.port)
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      throw new AddressMistake(`must have ports from 1 to 65535; ${encode}`)
    return { host: host || usual.host, port: Number(port) }
  })
}

const readTarget = (has: ReadonlyMap<string, string>, hosts: readonly PostgresHost[]) => {
  const target = has.get('target_session_attrs')
  // Several servers are usually a primary and its standbys, and Docket writes.
  if (target === undefined) return hosts.length > 1 ? 'read-write' : 'any'
  const known = targets.find((word) => word === target)
  if (known !== undefined) return known
  throw new AddressMistake(`must have ${targets.join(', ')} as target_session_attrs, because Docket writes`)
}

/**
 * Reads an address by libpq's rules, and the files it names. Ignores parameters that Docket does not know, as those of other programs.
 * Throws `AddressMistake`.
 */
export const readPostgresAddress = (address: string): PostgresConfig => {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/is.exec(address) ?? []
  if (rest === undefined) throw new AddressMistake(`must be an address of PostgreSQL, such as ${example}`)
  const at = rest.lastIndexOf('@')
  const login = rest.slice(0, Math.max(at, 0))
  if (/[@#/?]/.test(login)) throw new AddressMistake(`cannot be read: ${encode}`)
  const [, listed = '', path = '', query = ''] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(rest.slice(at + 1)) ?? []
  const has = new Map(
    query
      .split('&')
      .map((pair) => [pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)].map(decode) as [string, string]),
  )
  for (const [name, instead] of Object.entries(unreadable))
    if (has.has(name)) throw new AddressMistake(`has the parameter ${name}, which Docket does not read. Use ${instead}`)
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(login) ?? []
  const hosts = readHosts(listed, has)
  const secret = has.get('password') ?? decode(password)
  const seconds = Number(has.get('connect_timeout') ?? 0)
  const tls = hosts.every(({ host }) => host.startsWith('/')) ? false : readTls(has)
  const said = (name: string, otherwise = '') => has.get(name) || decode(otherwise) || undefined
  const settings = {
    user: said('user', user),
    // A function, so that printing the configuration cannot print it.
    password: secret === '' ? undefined : () => secret,
    database: said('dbname', path),
    application_name: said('application_name'),
    options: said('options'),
    sslnegotiation: has.get('sslnegotiation') === 'direct' ? ('direct' as const) : undefined,
    ssl: tls,
    connectionTimeoutMillis: seconds > 0 ? seconds * 1_000 * hosts.length : undefined,
    ...Object.fromEntries(limits.map((name) => [name, Number(has.get(name) || Number.NaN)])),
  }
  return {
    ...(Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== undefined && !Number.isNaN(value)),
    ) as ClientConfig),
    ...hosts[0],
    hosts,
    accepts: readTarget(has, hosts),
  }
}

export const describePlace = ({ hosts = [], database, user }: PostgresConfig): string =>
  `${hosts.map(({ host, port }) => (host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`)).join(',')}/${database ?? user ?? ''}`
