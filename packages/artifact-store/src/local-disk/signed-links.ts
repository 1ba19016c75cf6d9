import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Links signed with HMAC-SHA-256 over the object, the expiry and a nonce. */
export const signedLinks = (secret: Uint8Array) => {
  const computeSignature = (path: string, expires: string, nonce: string) =>
    createHmac('sha256', secret).update(`GET\n${path}\n${expires}\n${nonce}`).digest()
  return {
    /** Path and query of a link. `expires` is in seconds since 1970. */
    sign: (path: string, expires: number) => {
      // Two links made in the same second are still two links.
      const nonce = randomBytes(8).toString('hex')
      const signature = computeSignature(path, String(expires), nonce).toString('hex')
      return `${path}?${new URLSearchParams({ expires: String(expires), nonce, signature }).toString()}`
    },
    /** False when the link was tampered with, belongs to another object, or expired at `now`. */
    isGood: (path: string, query: URLSearchParams, now: Date) => {
      const [expires = '', nonce = '', signatureHex = ''] = ['expires', 'nonce', 'signature'].map(
        (name) => query.get(name) ?? '',
      )
      const expected = computeSignature(path, expires, nonce)
      const signature = Buffer.from(signatureHex.padEnd(64).slice(0, 64).replaceAll(' ', '0'), 'hex')
      const matches = signature.length === expected.length && timingSafeEqual(signature, expected)
      return matches && signatureHex.length === 64 && Number(expires) * 1000 > now.getTime()
    },
  }
}

/** Signs and checks expiring links to objects of the local storage. A link is good for one object until one moment. */
export type SignedLinks = ReturnType<typeof signedLinks>
