import type { IncomingMessage } from 'node:http'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Value of the `Allow` header. */
export const allowedMethods = 'GET, HEAD, POST, PATCH, DELETE'

/** True with exactly one `Host` header: of several, parsers choose different ones. */
const hasOneHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/**
 * Status for a request that Node's parser accepts but that a proxy may read differently: no or several hosts, an absolute address
 * (RFC 9112 §3.2.2), a transfer encoding other than chunks, or chunks in HTTP/1.0. Null for ordinary requests.
 */
export const misshapen = (request: IncomingMessage): 400 | 405 | 505 | null => {
  const { method = '', url = '', httpVersionMajor, httpVersionMinor, headers } = request
  if (httpVersionMajor !== 1) return 505
  if (!methods.has(method)) return 405
  if (!url.startsWith('/') || !hasOneHost(request)) return 400
  const transfer = headers['transfer-encoding']
  return transfer !== undefined && (httpVersionMinor === 0 || transfer.toLowerCase() !== 'chunked') ? 400 : null
}
