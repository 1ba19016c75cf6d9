import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'

/** An exported site on this disk. `close` removes what was unpacked for it. */
export type SiteFolder = {
  folder: string
  /** Every file by its path in the site. */
  files: ReadonlyMap<string, Buffer>
  /** Folder of documentation that it was exported from, or null. */
  source: string | null
  close: () => Promise<void>
}

/**
 * Opens an unpacked site, a bundle (`.tar.gz`), or a folder of documentation, which is exported first. Rejects when it
 * is none of them.
 */
export const openSite = async (path: string): Promise<SiteFolder> => {
  const place = resolve(path)
  if (!(await stat(place)).isDirectory()) return unpackSite(await readFile(place))
  const isSite = (await readdir(place)).includes('_docket')
  if (isSite) return { folder: place, files: await listFiles(place), source: null, close: async () => {} }
  const { exportSource } = await import('./export-source.ts')
  return { ...(await unpackSite((await exportSource(place)).bundle)), source: place }
}

/** Unpacks a bundle into a folder of its own. Rejects when a name in it would leave that folder. */
export const unpackSite = async (bundle: Buffer): Promise<SiteFolder> => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-site-'))
  for (const { header, data } of await unpackTar(gunzipSync(bundle))) {
    if (header.type !== 'file') continue
    const name = normalize(header.name)
    if (name.startsWith('..') || name.startsWith('/')) throw new Error(`The bundle holds “${header.name}”.`)
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), data ?? Buffer.alloc(0))
  }
  return {
    folder,
    files: await listFiles(folder),
    source: null,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const listFiles = async (folder: string) => {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted()
  const files = new Map<string, Buffer>()
  for (const name of names) files.set(name, await readFile(join(folder, name)))
  return files
}
