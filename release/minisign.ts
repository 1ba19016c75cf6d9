import { createHash, sign } from 'node:crypto'
import { formatKeyId, type SigningKey } from './minisign-key.ts'

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
