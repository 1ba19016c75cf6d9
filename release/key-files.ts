import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createKey,
  formatKeyId,
  formatPublicKey,
  formatSecretKey,
  readSecretKey,
  type SigningKey,
} from './minisign-key.ts'
import { ReleaseProblem } from './run.ts'

const writeNew = async (file: string, text: string, mode: number) => {
  const handle = await open(file, 'wx', mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new ReleaseProblem(`${file} exists. A key is never replaced: choose another folder.`)
    throw error
  })
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
}

/** Writes a new pair into a folder. Never replaces a file. Resolves with a sentence for the person. */
export const writeKeys = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const key = createKey()
  const [secret, shared] = [join(folder, 'docket-release.key'), join(folder, 'docket-release.pub')]
  await writeNew(secret, formatSecretKey(key), 0o600)
  await writeNew(shared, formatPublicKey(key), 0o644)
  return `Key ${formatKeyId(key)}.\n${secret} signs, and has no password: keep it offline.\n${shared} verifies: publish it.`
}

/** Reads a file that only its owner may read. */
const readPrivate = async (file: string, name: string): Promise<string> => {
  const stats = await stat(file).catch(() => null)
  if (stats === null || !stats.isFile()) throw new ReleaseProblem(`There is no file ${file} with the ${name}.`)
  if ((stats.mode & 0o077) !== 0)
    throw new ReleaseProblem(`Others may read ${file}, the ${name}. Take that away first: chmod 600 ${file}`)
  return readFile(file, 'utf8')
}

/** Opens a secret key of minisign. Throws `ReleaseProblem` when others may read it or the password is wrong. */
export const openSignKey = async (file: string, passphraseFile: string | null): Promise<SigningKey> => {
  const passphrase = passphraseFile === null ? null : await readPrivate(passphraseFile, 'password')
  return readSecretKey(await readPrivate(file, 'signing key'), passphrase?.replace(/\r?\n$/, '') ?? null)
}
