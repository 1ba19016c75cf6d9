import type { IncomingMessage } from 'node:http'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Methods that some route or its refusal knows, for `Allow`. */
export const allowedMethods = 'GET, HEAD, POST, PATCH, DELETE'

/** One `Host`: of several, different readers believe different ones. */
const hasOneHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/**
 * The status to refuse a request with that the parser lets through but that another reader on the way could take for another request:
 * none or several names of the host, a whole address instead of a path (RFC 9112 §3.2.2), an encoding of the transfer that is not
 * only chunks, or chunks in HTTP/1.0. Null for ordinary requests.
 */
export const misshapen = (request: IncomingMessage): 400 | 405 | 505 | null => {
  const { method = '', url = '', httpVersionMajor, httpVersionMinor, headers } = request
  if (httpVersionMajor !== 1) return 505
  if (!methods.has(method)) return 405
  if (!url.startsWith('/') || !hasOneHost(request)) return 400
  const transfer = headers['transfer-encoding']
  return transfer !== undefined && (httpVersionMinor === 0 || transfer.toLowerCase() !== 'chunked') ? 400 : null
}
