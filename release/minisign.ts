import { createHash, sign, verify } from 'node:crypto'
import { formatKeyId, openPublicKey, type SigningKey } from './minisign-key.ts'

/** Minisign's name for a signature of the hash of a file. */
const algorithm = 'ED'

const hash = (content: Uint8Array) => createHash('blake2b512').update(content).digest()

/** A signature of `content` in the format of minisign. `comment` is signed too, and is one line. */
export const signContent = (content: Uint8Array, key: SigningKey, comment: string): string => {
  const signature = sign(null, hash(content), key.privateKey)
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key.privateKey)
  return [
    `untrusted comment: signature of a Docket release, key ${formatKeyId(key)}`,
    Buffer.concat([Buffer.from(algorithm), key.id, signature]).toString('base64'),
    `trusted comment: ${comment}`,
    global.toString('base64'),
    '',
  ].join('\n')
}

/** Whether a signature file belongs to this content and this key, its trusted comment included. */
export const isSignedBy = (
  content: Uint8Array,
  signatureFile: string,
  key: Pick<SigningKey, 'id' | 'publicKey'>,
): boolean => {
  const [, first = '', trusted = '', second = ''] = signatureFile.split('\n')
  const bytes = Buffer.from(first, 'base64')
  const signature = bytes.subarray(10)
  const publicKey = openPublicKey(key.publicKey)
  return (
    bytes.toString('latin1', 0, 2) === algorithm &&
    bytes.subarray(2, 10).equals(key.id) &&
    trusted.startsWith('trusted comment: ') &&
    verify(null, hash(content), publicKey, signature) &&
    verify(
      null,
      Buffer.concat([signature, Buffer.from(trusted.slice('trusted comment: '.length))]),
      publicKey,
      Buffer.from(second, 'base64'),
    )
  )
}
