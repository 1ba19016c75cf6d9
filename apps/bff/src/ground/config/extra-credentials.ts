import { createPrivateKey, X509Certificate } from 'node:crypto'

/** PEM texts. A chain may follow the certificate. */
export type ClientCertificate = { certificate: string; key: string }

/** Credentials of a gateway in front of a service, beside the key. */
export type ExtraCredentials = {
  headers: Readonly<Record<string, string>>
  clientCertificate: ClientCertificate | null
}

/** Headers that Docket, the key or the connection itself sets. */
const reserved =
  /^(?:accept|accept-encoding|authorization|connection|content-.*|cookie|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i

/** Throws an `Error` that names the header and never its value. */
export const checkHeaders = (pairs: readonly (readonly [string, string])[]): ExtraCredentials['headers'] => {
  const known = new Set<string>()
  if (pairs.length > 20) throw new Error('These are more than 20 headers.')
  for (const [name, value] of pairs) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
      throw new Error('A header has a name that HTTP doesn’t allow. Write it as Name: value.')
    if (reserved.test(name)) throw new Error(`${name} can’t be an extra header, because Docket sets it itself.`)
    if (known.has(name.toLowerCase())) throw new Error(`${name} is there twice. Keep one of them.`)
    if (!/^[\x21-\x7e\xa1-\xff][\t\x20-\x7e\xa0-\xff]{0,4095}$/.test(value))
      throw new Error(`The value of ${name} is empty, too long or has characters that a header can’t carry.`)
    known.add(name.toLowerCase())
  }
  return Object.fromEntries(pairs)
}

/** Parses lines such as `X-Tenant: docs`. Throws as `checkHeaders` does. */
export const parseHeaderLines = (text: string): ExtraCredentials['headers'] =>
  checkHeaders(
    text.split('\n').flatMap((line) => {
      // Without a colon, the line may be a secret, so no message may name it.
      const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
      return line.trim() === '' ? [] : [[name.trim(), value.trim()] as const]
    }),
  )

const readPem = <T>(read: () => T, problem: string): T => {
  try {
    return read()
  } catch {
    throw new Error(problem)
  }
}

/** Returns the last day of the certificate (YYYY-MM-DD, UTC). Throws a readable `Error` without any of the texts. */
export const checkClientCertificate = ({ certificate, key }: ClientCertificate): string => {
  const parsed = readPem(
    () => new X509Certificate(certificate),
    'The client certificate can’t be read. It must be PEM.',
  )
  const privateKey = readPem(
    () => createPrivateKey(key),
    'The private key can’t be read. It must be PEM without a passphrase.',
  )
  if (!parsed.checkPrivateKey(privateKey)) throw new Error('The private key doesn’t belong to the client certificate.')
  return parsed.validToDate.toISOString().slice(0, 10)
}
