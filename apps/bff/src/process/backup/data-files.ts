import { copyFile, link, lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readdirSync, rmSync } from 'node:fs'
import { isSecretFile } from '#ground/secret/secrets.ts'
import type { Manifest } from './manifest.ts'

/** The cluster, its socket, locks, unfinished files, and files that the embedded Admin API can recreate. */
const leftOut =
  /^(postgres(\.new)?|run|docket\.(lock|backup).*|(?!docket\.secret\.)[^/]+\.replaced-[^/]+|restore\.[^/]*|artifact-staging|local-admin-api\/static-exports\/(sites|work|page-cache)|local-admin-api\/bundles\/\.docket-storage|local-admin-api\/code-host\/[^/]+\.(work|seeding))(\/|$)|\.(tmp|new|lock|unfinished)$|(^|\/)docket-backup-[^/]*\.tar(\.unfinished(\.d)?)?(\/|$)/

/** True for a path, relative to the data folder, that may be in a backup. */
export const isDataFile = (path: string): boolean =>
  path !== '' &&
  !leftOut.test(path) &&
  !path.startsWith('/') &&
  !/[\\\0]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

export const artifactFolder = 'artifacts'

const isMissingFile = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const listFilesBelow = async (dataDir: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissingFile(error)) return []
    throw error
  })
  const found: string[] = []
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (!isDataFile(path)) continue
    if (entry.isDirectory()) found.push(...(await listFilesBelow(dataDir, path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

/** Nothing when the file was removed after it was listed, as Docket and the retention do. */
const saveFile = async (
  target: string,
  path: string,
  save: (copy: string) => Promise<void>,
): Promise<Manifest['files']> => {
  const copy = join(target, path)
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  try {
    await save(copy)
    return [{ path, sizeBytes: (await lstat(copy)).size }]
  } catch (error) {
    if (!isMissingFile(error)) throw error
    return []
  }
}

/**
 * Copies the files for a backup while Docket may write: it replaces files whole, and git objects come last, so that every copied branch
 * finds its objects. `withSecret`: also the files of the instance secret. `withArtifacts`: also the bundles stored in this folder.
 */
export const copyDataFiles = async (
  dataDir: string,
  target: string,
  { withSecret, withArtifacts = null }: { withSecret: boolean; withArtifacts?: string | null },
): Promise<Manifest['files']> => {
  const late = (path: string) => (path.includes('/objects/') ? 1 : 0)
  const copied: Manifest['files'] = []
  const done = new Set<string>()
  // Lists the objects again, because some appear while branches are copied.
  for (const wanted of [0, 1])
    for (const path of (await listFilesBelow(dataDir, '')).filter((name) => late(name) === wanted).toSorted()) {
      if (done.has(path) || isArtifact(path) || (isSecretFile(path) && !withSecret)) continue
      done.add(path)
      copied.push(...(await saveFile(target, path, (copy) => copyFile(join(dataDir, path), copy))))
    }
  if (withArtifacts !== null) copied.push(...(await linkArtifacts(withArtifacts, target)))
  return copied
}

const isArtifact = (path: string) => path.startsWith(`${artifactFolder}/`)

/** Stored bundles never change, so hard links are enough. */
const linkArtifacts = async (folder: string, target: string): Promise<Manifest['files']> => {
  const linked: Manifest['files'] = []
  for (const name of await listFilesBelow(folder, '')) {
    const path = `${artifactFolder}/${name}`
    const save = (copy: string) =>
      link(join(folder, name), copy).catch((error: unknown) => {
        if (isMissingFile(error)) throw error
        return copyFile(join(folder, name), copy)
      })
    linked.push(...(await saveFile(target, path, save)))
  }
  return linked
}

const backupPrefix = 'docket.backup.'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the folders of interrupted backups, including those of this process, because they contain unencrypted tables. */
export const removeStaging = (parent: string, prefix = backupPrefix): void => {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : NaN
    if (pid === process.pid || (!Number.isNaN(pid) && !isRunning(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** Creates a folder for a backup by this process. Removes the folders of interrupted backups. */
export const openStaging = (parent: string, prefix = backupPrefix): Promise<string> => {
  removeStaging(parent, prefix)
  return mkdtemp(join(parent, `${prefix}${process.pid}.`))
}
