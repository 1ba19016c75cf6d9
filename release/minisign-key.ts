import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  scryptSync,
  type KeyObject,
} from 'node:crypto'
import { ReleaseProblem } from './run.ts'

/** A key pair of minisign. The private key is an object of Node, so printing the pair cannot print it. */
export type SigningKey = { id: Buffer; privateKey: KeyObject; publicKey: Buffer }

const algorithm = 'Ed'
const scrypt = 'Sc'
const blake = 'B2'
const unencrypted = '\0\0'

const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex')

const openPrivateKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([privateKeyHeader, seed]), format: 'der', type: 'pkcs8' })

const lastBytes = (key: KeyObject, as: { format: 'der'; type: 'pkcs8' } | { format: 'der'; type: 'spki' }) =>
  Buffer.from(key.export(as)).subarray(-32)

/** The bytes of the first line that is no comment. */
const decodeKeyFile = (text: string): Buffer =>
  Buffer.from(text.split('\n').find((line) => line.trim() !== '' && !/^untrusted comment:/i.test(line)) ?? '', 'base64')

/** A new pair. */
export const createKey = (): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { id: randomBytes(8), privateKey, publicKey: lastBytes(publicKey, { format: 'der', type: 'spki' }) }
}

/** The name of a key as minisign prints it. */
export const formatKeyId = ({ id }: Pick<SigningKey, 'id'>): string =>
  Buffer.from(id).reverse().toString('hex').toUpperCase()

/** Content of a file for `minisign -V -p`. */
export const formatPublicKey = (key: Pick<SigningKey, 'id' | 'publicKey'>): string =>
  `untrusted comment: minisign public key ${formatKeyId(key)}\n${Buffer.concat([Buffer.from(algorithm), key.id, key.publicKey]).toString('base64')}\n`

/** Content of a file for `minisign -S -s`, without a password. */
export const formatSecretKey = ({ id, privateKey, publicKey }: SigningKey): string => {
  const pair = Buffer.concat([lastBytes(privateKey, { format: 'der', type: 'pkcs8' }), publicKey])
  const header = Buffer.concat([Buffer.from(`${algorithm}${unencrypted}${blake}`, 'latin1'), Buffer.alloc(32 + 8 + 8)])
  // Minisign too fills the checksum in only together with a password.
  const bytes = Buffer.concat([header, id, pair, Buffer.alloc(32)])
  return `untrusted comment: minisign secret key without a password\n${bytes.toString('base64')}\n`
}

/** Parameters of scrypt that libsodium derives from its two limits. */
const scryptParameters = (operations: number, memoryBytes: number) => {
  const r = 8
  const fewOperations = operations < memoryBytes / 32
  const maxN = fewOperations ? operations / (r * 4) : memoryBytes / (r * 128)
  const log2 = Math.max(1, Math.floor(Math.log2(maxN)))
  const N = 2 ** log2
  const p = fewOperations ? 1 : Math.max(1, Math.floor(Math.min(operations / 4 / N, 2 ** 30 - 1) / r))
  return { N, r, p, maxmem: 128 * N * r + 128 * r * p + (64 << 20) }
}

/** The most memory that a key may ask for; minisign itself asks for 1 GiB. */
const maxMemoryBytes = 2 ** 31

/**
 * Reads a secret key file of minisign. Throws `ReleaseProblem` when it is none, when it has a password and `passphrase`
 * is null, and when the password is wrong.
 */
export const readSecretKey = (text: string, passphrase: string | null): SigningKey => {
  const bytes = decodeKeyFile(text)
  const word = (from: number) => bytes.toString('latin1', from, from + 2)
  if (bytes.length !== 158 || word(0) !== algorithm || word(4) !== blake || ![scrypt, unencrypted].includes(word(2)))
    throw new ReleaseProblem('The file with the signing key is no secret key of minisign.')
  const [salt, secret] = [bytes.subarray(6, 38), Buffer.from(bytes.subarray(54))]
  if (word(2) === scrypt) {
    if (passphrase === null)
      throw new ReleaseProblem('The signing key has a password. Name a file with it: --passphrase-file FILE.')
    const [operations, memoryBytes] = [Number(bytes.readBigUInt64LE(38)), Number(bytes.readBigUInt64LE(46))]
    if (memoryBytes > maxMemoryBytes) throw new ReleaseProblem('The signing key asks for more than 2 GiB of memory.')
    const stream = scryptSync(passphrase, salt, secret.length, scryptParameters(operations, memoryBytes))
    secret.forEach((byte, at) => (secret[at] = byte ^ stream[at]!))
  }
  const [id, pair] = [secret.subarray(0, 8), secret.subarray(8, 72)]
  const privateKey = openPrivateKey(pair.subarray(0, 32))
  const publicKey = lastBytes(createPublicKey(privateKey), { format: 'der', type: 'spki' })
  // Stricter than the checksum, which keys without a password do not have.
  if (!publicKey.equals(pair.subarray(32)))
    throw new ReleaseProblem(
      word(2) === scrypt ? 'That is not the password of the signing key.' : 'The signing key is damaged.',
    )
  return { id, privateKey, publicKey }
}
