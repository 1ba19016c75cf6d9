import { createReadStream, type ReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupRefused } from './manifest.ts'

export type EncryptTo = { passphrase: string } | { recipients: readonly string[] }

/** Key of an encrypted backup: a passphrase, or identities (`AGE-SECRET-KEY-1…`). */
export type OpenWith = { passphrase: string } | { identities: readonly string[] }

/** A backup file without its encryption. Each `read` begins at the first byte. */
export type ReadableBackup = { sizeBytes: number; read: () => Promise<Readable> }

const firstLine = 'age-encryption.org/v1\n'

const addAllKeys = (texts: readonly string[], add: (text: string) => void, what: string): void => {
  for (const [index, text] of texts.entries())
    try {
      add(text)
    } catch {
      // The message names only its position, because an identity is a secret.
      throw new BackupRefused(`Number ${index + 1} of the ${what} is not an age key. Nothing was changed.`)
    }
}

export type ByteStep = (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>

/** Encrypts in the format of age, 64 KiB at a time. Throws `BackupRefused` for an invalid recipient. */
export const createEncryptStep = (to: EncryptTo): ByteStep => {
  const encrypter = new Encrypter()
  if ('passphrase' in to) encrypter.setPassphrase(to.passphrase)
  else addAllKeys(to.recipients, (one) => encrypter.addRecipient(one), 'recipients')
  return async function* (plain) {
    const bytes = Readable.toWeb(Readable.from(plain, { objectMode: false }))
    const encrypted = await encrypter.encrypt(bytes as ReadableStream<Uint8Array>)
    yield* Readable.fromWeb(encrypted as Parameters<typeof Readable.fromWeb>[0]) as AsyncIterable<Uint8Array>
  }
}

// Room for the header of some hundred recipients.
const maxHeaderBytes = 1024 * 1024

const readStart = async (file: string): Promise<Buffer> => {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const createDecrypter = (openWith: OpenWith): Decrypter => {
  const decrypter = new Decrypter()
  if ('passphrase' in openWith) decrypter.addPassphrase(openWith.passphrase)
  else addAllKeys(openWith.identities, (one) => decrypter.addIdentity(one), 'identities')
  return decrypter
}

/** Opens a backup file, encrypted or not. Throws `BackupRefused`. Altered bytes fail later, when they are read, with any error. */
export const openReadableBackup = async (file: string, openWith: OpenWith | null): Promise<ReadableBackup> => {
  const { size } = await stat(file).catch(() => {
    throw new BackupRefused(`There is no backup at ${file}.`)
  })
  const bytes = () => createReadStream(file, { highWaterMark: 256 * 1024 })
  const start = await readStart(file)
  if (!start.toString('latin1').startsWith(firstLine)) {
    if (openWith !== null)
      throw new BackupRefused(`${file} is not encrypted. Leave the passphrase or identity out if you expect that.`)
    return { sizeBytes: size, read: () => Promise.resolve(bytes()) }
  }
  if (openWith === null)
    throw new BackupRefused(`${file} is encrypted. Name the --passphrase-file or --identity-file that opens it.`)
  const fileKey = await createDecrypter(openWith)
    .decryptHeader(start)
    .catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('no identity matched'))) throw error
      throw new BackupRefused(
        `This ${'passphrase' in openWith ? 'passphrase' : 'identity'} does not open ${file}. Nothing was changed.`,
      )
    })
  // Trying a passphrase takes a second, so it is tried only once.
  const decrypter = new Decrypter()
  decrypter.addIdentity({ unwrapFileKey: () => fileKey })
  const decrypt = (source: ReadStream) => decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>)
  const measured = bytes()
  const sizeBytes = (await decrypt(measured)).size(size)
  measured.destroy()
  return {
    sizeBytes,
    read: async () => Readable.fromWeb((await decrypt(bytes())) as Parameters<typeof Readable.fromWeb>[0]),
  }
}
