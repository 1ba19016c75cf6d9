import { createHash, randomBytes } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { managedNonce } from '@noble/ciphers/utils.js'
import { deriveKey } from './right-secret.ts'

/** A key or ticket of 192 random bits: 32 letters, digits, `-` and `_`. */
export const makeRandomKey = (): string => randomBytes(24).toString('base64url')

/** SHA-256 of a random key or token, lower-case hexadecimal. With 192 random bits, nobody can guess it from the hash. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** The instance secret, and the one it replaces during a rotation. */
export type KeyRing = { secret: string; previousSecret: string | null }

const createCipher = (secret: string) => managedNonce(xchacha20poly1305)(createHash('sha256').update(secret).digest())

/** A ciphertext is `$ba$<version>$<hex>`. The version is derived from its secret, so replicas agree on it in any order. */
const buildVersionPrefix = (secret: string): string =>
  `$ba$${deriveKey(secret, 'version of second factors').readUIntBE(0, 6)}$`

/** Encrypts with the current secret (XChaCha20-Poly1305 with a random nonce). */
export const encryptText = ({ secret }: Pick<KeyRing, 'secret'>, text: string): string =>
  buildVersionPrefix(secret) + Buffer.from(createCipher(secret).encrypt(Buffer.from(text))).toString('hex')

const unreadable =
  'Its key or token can’t be read, because another instance secret sealed it. Enter it again, or set that secret as AUTH_SECRET_PREVIOUS.'

const decryptWith = (secrets: readonly string[], data: string): string | null => {
  // The first versions wrote no prefix, so the authentication tag alone decides which secret is right.
  const bytes = Buffer.from(data.replace(/^\$ba\$\d+\$/, ''), 'hex')
  for (const secret of secrets)
    try {
      return Buffer.from(createCipher(secret).decrypt(bytes)).toString()
    } catch {
      continue
    }
  return null
}

/** Decrypts with the current or the previous secret. Throws when neither is right. */
export const decryptText = ({ secret, previousSecret }: KeyRing, data: string): string => {
  const text = decryptWith(previousSecret === null ? [secret] : [secret, previousSecret], data)
  if (text === null) throw new Error(unreadable)
  return text
}

/** Re-encrypts text that a `retired` secret encrypted. Null when no secret can decrypt it. */
export const reencryptText = (ring: KeyRing, retired: readonly string[], data: string): string | null => {
  if (data.startsWith(buildVersionPrefix(ring.secret))) return data
  const text = decryptWith([ring.secret, ...retired], data)
  return text === null ? null : encryptText(ring, text)
}
