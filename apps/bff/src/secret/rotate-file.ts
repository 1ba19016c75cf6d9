import { randomBytes } from 'node:crypto'
import { writePrivateFile } from '#data-folder/private-file.ts'
import { belongs, WrongSecret, type KnownInstance } from './right-secret.ts'
import { previousSecretFile, secretFile, secretsInFolder } from './secrets.ts'

/**
 * Writes a new secret into the data folder and keeps the current one beside it, for the next start. Returns the file of the previous one.
 * Throws `WrongSecret` when that would lose the secret that the database needs, or sessions that still need an older one.
 */
export const rotateSecretFile = async (dataDir: string, known: KnownInstance | null): Promise<string> => {
  const [file, previousFile] = [secretFile(dataDir), previousSecretFile(dataDir)]
  const { current, previous } = await secretsInFolder(dataDir)
  if (current === null || known === null || !belongs(known, { current, previous: null }))
    throw new WrongSecret(
      `The database does not know the secret in ${file}. Start Docket with it once, and then rotate. Nothing was changed.`,
    )
  if (previous !== null)
    throw new WrongSecret(
      `${previousFile} is still there from the last rotation. Delete it first: sessions older than that rotation then end. Nothing was changed.`,
    )
  // A crash in between leaves the current secret twice.
  await writePrivateFile(previousFile, current)
  await writePrivateFile(file, randomBytes(32).toString('base64url'))
  return previousFile
}
