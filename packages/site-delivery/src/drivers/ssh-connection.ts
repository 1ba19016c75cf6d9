import { createHash } from 'node:crypto'
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2'
import { DeliveryFailed } from '#delivery-target.ts'

export type SshAddress = { host: string; port: number }
/** Key of an SSH server: its type and its content in Base64, as in `known_hosts`. */
export type HostKey = string
export type SshLogin =
  | { user: string; password: string }
  | { user: string; privateKey: string; passphrase: string | null }

const connectMs = 20_000

/** Has the form that `ssh-keygen -l` prints. Null for anything that is not a key. */
export const readFingerprint = (key: HostKey): string | null => {
  const [type, content] = key.split(' ')
  const bytes = Buffer.from(content ?? '', 'base64')
  if (type === undefined || bytes.length < 16 || describeKey(bytes) !== `${type} ${content}`) return null
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`
}

const describeKey = (bytes: Buffer): HostKey => {
  const length = bytes.length > 4 ? bytes.readUInt32BE(0) : 0
  return `${bytes.subarray(4, 4 + Math.min(length, 100)).toString()} ${bytes.toString('base64')}`
}

/** Asks a server for its key, without signing in. A person confirms its fingerprint. */
export const readHostKey = (address: SshAddress): Promise<HostKey> =>
  new Promise((resolve, reject) => {
    const client = new Client()
    let key: HostKey | null = null
    client.on('error', (error) => {
      client.destroy()
      if (key === null) reject(explainConnection(error))
    })
    client.on('close', () =>
      reject(new DeliveryFailed('The server ended the connection before it named its key.', true)),
    )
    client.connect({
      ...address,
      username: 'docket',
      readyTimeout: connectMs,
      hostVerifier: (bytes: Buffer) => {
        key = describeKey(bytes)
        resolve(key)
        return false
      },
    })
  })

/** Rejects with `DeliveryFailed`, including when the server's key differs from the pinned one. */
export const openSftp = (
  address: SshAddress & { hostKey: HostKey },
  login: SshLogin,
): Promise<{ sftp: SFTPWrapper; close: () => void }> =>
  new Promise((resolve, reject) => {
    const client = new Client()
    const fail = (error: DeliveryFailed) => {
      client.destroy()
      reject(error)
    }
    let isOther = false
    client.on('error', (error) => fail(isOther ? createOtherKeyError() : explainConnection(error)))
    client.on('close', () => reject(new DeliveryFailed('The server ended the connection.', true)))
    client.on('ready', () => {
      // Small requests must not wait for others.
      client.setNoDelay(true)
      client.sftp((error, sftp) => {
        if (error !== undefined) return fail(new DeliveryFailed('The server has no SFTP for this user.'))
        sftp.on('error', () => {})
        resolve({ sftp, close: () => client.end() })
      })
    })
    const { hostKey, host, port } = address
    const config: ConnectConfig = {
      host,
      port,
      username: login.user,
      readyTimeout: connectMs,
      // Ends a connection that is silent for half a minute.
      keepaliveInterval: 10_000,
      keepaliveCountMax: 3,
      algorithms: { serverHostKey: listAlgorithms(hostKey) },
      hostVerifier: (bytes: Buffer) => {
        isOther = describeKey(bytes) !== hostKey
        return !isOther
      },
    }
    try {
      if ('password' in login) client.connect({ ...config, password: login.password })
      else
        client.connect({
          ...config,
          privateKey: login.privateKey,
          ...(login.passphrase !== null && { passphrase: login.passphrase }),
        })
    } catch {
      // The error's message may contain a part of the key.
      fail(new DeliveryFailed('Docket cannot read the private key. It may need another passphrase.'))
    }
  })

const createOtherKeyError = () =>
  new DeliveryFailed(
    'The server has another key than the one that was confirmed. Ask why before you confirm the new one.',
  )

/** A server has several keys, and must show the one that is pinned. */
const listAlgorithms = (hostKey: HostKey) => {
  const [type = ''] = hostKey.split(' ')
  return (type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type]) as never
}

const explainConnection = (error: Error & { level?: string; code?: string }): DeliveryFailed => {
  if (error.level === 'client-authentication')
    return new DeliveryFailed('The server refused the user, the password or the key.')
  if (error.level === 'client-timeout') return new DeliveryFailed('The server does not answer.', true)
  if (error.level === 'handshake' || /no matching/i.test(error.message))
    return new DeliveryFailed('Docket and the server have no method of encryption or key in common.')
  return new DeliveryFailed(`The server cannot be reached (${error.code ?? 'no answer as SSH servers give it'}).`, true)
}
