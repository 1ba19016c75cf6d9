import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const foldersIn = (path: string): string[] => {
  try {
    return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
  } catch {
    return []
  }
}

/** Folders of the server that every slice may use, or that bring slices together. Any other folder is a slice. */
const sharedByServer: readonly string[] = [
  'admin-api',
  'audit',
  'clock',
  'config',
  'connections',
  'data-folder',
  'db',
  'errors',
  'history',
  'http',
  'identity',
  'log',
  'polling',
  'process',
  'rate-limit',
  'secret',
  'sites',
  'testing',
]

/** The slices of the server. Read from disk, so that a new folder is bounded from its first file. */
export const serverSlices = foldersIn('apps/bff/src').filter((folder) => !sharedByServer.includes(folder))

/** The features of the web app. Read from disk, like the slices of the server. */
export const webFeatures = foldersIn('apps/web/src/features')

/** The packages. Read from disk, like the slices of the server. */
export const packages = foldersIn('packages')
