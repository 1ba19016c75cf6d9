import { createHmac, hkdfSync } from 'node:crypto'

/** Derives 32 bytes for one purpose from the instance secret (HKDF-SHA256), so that no two purposes share a key. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `docket ${purpose}`, 32))

/** Names a secret without giving it away: the database keeps this to refuse a Docket with another one. */
export const checkValue = (secret: string, instanceName: string): string =>
  createHmac('sha256', deriveKey(secret, 'check value')).update(instanceName).digest('hex')
