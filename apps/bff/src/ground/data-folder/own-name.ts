import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

const filePath = (dataDir: string) => join(dataDir, 'own-name')

/** Reads the host name of this data folder. Null before the first start. */
export const readOwnName = async (dataDir: string): Promise<string | null> => {
  const name = await readPrivateFile(filePath(dataDir))
  return name !== null && /^docket-[0-9a-f]{12}\.localhost$/.test(name) ? name : null
}

/**
 * Reads the host name of this data folder, such as `docket-3f9c1a7be204.localhost`, or chooses it. Browsers hide its cookies from every
 * other port of this computer only while the name is unknown there, so it is random, and only signed-in people see it.
 */
export const openOwnName = async (dataDir: string): Promise<string> => {
  const known = await readOwnName(dataDir)
  if (known !== null) return known
  const name = `docket-${randomBytes(6).toString('hex')}.localhost`
  await writePrivateFile(filePath(dataDir), name)
  return name
}
