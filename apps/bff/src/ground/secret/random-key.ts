import { createHash, randomBytes } from 'node:crypto'

/** A key or ticket of 192 random bits: 32 letters, digits, `-` and `_`. */
export const randomKey = (): string => randomBytes(24).toString('base64url')

/** SHA-256 of a key, lower-case hexadecimal. Nobody can guess a random key from it. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')
