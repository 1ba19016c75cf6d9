import type { CustomFetch } from 'openid-client'

const maxBytes = 1_048_576

const readBody = async (response: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new Error('The provider sent more than 1 MiB.')
    parts.push(part)
  }
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** Fetches from the provider. Follows no redirect and reads at most 1 MiB. `signal` brings the timeout. */
export const providerFetch: CustomFetch = async (url, { body, method, headers, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined || body === null ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  })
  const { status, headers: answered } = response
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : await readBody(response), { status, headers: answered })
}
