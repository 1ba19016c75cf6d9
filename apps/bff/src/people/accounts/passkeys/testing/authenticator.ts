import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** The part of CBOR (RFC 8949) that WebAuthn needs: whole numbers, bytes, text and maps of less than 64 KiB. */
const cbor = (value: number | string | Buffer | Map<number | string, unknown>): Buffer => {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([name, one]) => [cbor(name), cbor(one as Parameters<typeof cbor>[0])])
  return Buffer.concat([head(5, value.size), ...parts])
}

const counterBytes = (counter: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(counter)
  return bytes
}

/** Browser and device for one passkey (WebAuthn Level 3 §6), including faulty behaviour. */
export type CeremonyOptions = { challenge: string; rpId: string; origin: string }

/** A passkey with an ES256 key, or an existing one. `counter` is sent with the next signature; it does not grow by itself. */
export const softwareAuthenticator = (existing?: { id: string; privateKey: KeyObject }) => {
  const { publicKey, privateKey: ownKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = existing === undefined ? randomBytes(32) : Buffer.from(existing.id, 'base64url')
  const privateKey = existing?.privateKey ?? ownKey
  const state = { counter: 1, userVerified: true }
  const coordinate = (text: string) => Buffer.from(text, 'base64url')
  const key = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ])
  const authData = (rpId: string, attested: boolean) =>
    Buffer.concat([
      sha256(rpId),
      Buffer.from([1 | (state.userVerified ? 4 : 0) | (attested ? 64 : 0)]),
      counterBytes(state.counter),
      ...(attested ? [Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)] : []),
    ])
  const clientData = (type: string, { challenge, origin }: CeremonyOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const credential = (response: Record<string, unknown>) => ({
    id: url(id),
    rawId: url(id),
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
    response,
  })
  return {
    state,
    id: url(id),
    /** The result of `navigator.credentials.create`. */
    create: (options: CeremonyOptions) =>
      credential({
        clientDataJSON: url(clientData('webauthn.create', options)),
        attestationObject: url(
          cbor(
            new Map<string, unknown>([
              ['fmt', 'none'],
              ['attStmt', new Map()],
              ['authData', authData(options.rpId, true)],
            ]),
          ),
        ),
        transports: ['internal'],
      }),
    /** The result of `navigator.credentials.get`. */
    get: (options: CeremonyOptions) => {
      const client = clientData('webauthn.get', options)
      const data = authData(options.rpId, false)
      const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
      const signature = sign(algorithm, Buffer.concat([data, sha256(client)]), privateKey)
      return credential({ clientDataJSON: url(client), authenticatorData: url(data), signature: url(signature) })
    },
  }
}
