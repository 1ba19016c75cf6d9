import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

const fileOf = (dataDir: string) => join(dataDir, 'own-name')

/** The host name of the Docket on this data folder; null before its first start. */
export const readOwnName = async (dataDir: string): Promise<string | null> => {
  const name = await readPrivateFile(fileOf(dataDir))
  return name !== null && /^docket-[0-9a-f]{12}\.localhost$/.test(name) ? name : null
}

/**
 * The host name of the Docket on this data folder, such as `docket-3f9c1a7be204.localhost`; chosen at the first start. Browsers keep
 * its cookies from every other port of this computer as long as nobody there knows it, so it is random, and only people who are signed
 * in learn it.
 */
export const openOwnName = async (dataDir: string): Promise<string> => {
  const known = await readOwnName(dataDir)
  if (known !== null) return known
  const name = `docket-${randomBytes(6).toString('hex')}.localhost`
  await writePrivateFile(fileOf(dataDir), name)
  return name
}
