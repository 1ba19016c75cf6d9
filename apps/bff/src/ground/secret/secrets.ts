import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '#ground/data-folder.ts'

/** The instance secret of this process, from the environment or from files in `DATA_DIR`. */
export type Secrets = {
  /** Signs cookies and encrypts second factors. Null before the first start. */
  current: string | null
  /** The secret that `current` replaces: still verifies cookies and decrypts second factors. Null outside of a rotation. */
  previous: string | null
  /** Variable or file that supplied `current`, for messages. */
  from: string
  /** Writes the first secret, so that it survives a crash. Null when the environment names it. */
  keep: ((secret: string) => Promise<void>) | null
}

export const secretName = 'docket.secret'

export const locateSecretFile = (dataDir: string): string => join(dataDir, secretName)

export const locatePreviousSecretFile = (dataDir: string): string => `${locateSecretFile(dataDir)}.previous`

/** True for a path, relative to the data folder, of one of these files or of a replaced one. */
export const isSecretFile = (path: string): boolean => path === secretName || path.startsWith(`${secretName}.`)

const readSecret = async (file: string): Promise<string | null> => {
  try {
    return (await readFile(file, 'utf8')).trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const omitEqualPrevious = (current: string | null, previous: string | null) => ({
  current,
  previous: previous === current ? null : previous,
})

export const readSecretsInFolder = async (dataDir: string): Promise<Secrets> => {
  const file = locateSecretFile(dataDir)
  const [current, previous] = [await readSecret(file), await readSecret(locatePreviousSecretFile(dataDir))]
  return { ...omitEqualPrevious(current, previous), from: file, keep: (secret) => writePrivateFile(file, secret) }
}

/** Finds the secrets: `AUTH_SECRET` with `AUTH_SECRET_PREVIOUS`, else the files in `DATA_DIR`. */
export const findSecrets = async (config: {
  authSecret: (() => string) | null
  authSecretPrevious: (() => string) | null
  dataDir: string
}): Promise<Secrets> => {
  const { authSecret, authSecretPrevious, dataDir } = config
  if (authSecret === null) return readSecretsInFolder(dataDir)
  return { ...omitEqualPrevious(authSecret(), authSecretPrevious?.() ?? null), from: 'AUTH_SECRET', keep: null }
}
