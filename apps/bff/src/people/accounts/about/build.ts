import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..', '..', '..', '..')

const isPartOfBuild = (path: string) =>
  /\.(ts|mjs|sql|json)$/.test(path) && !/\.test\.ts$|\/(testing|meta|node_modules)\//.test(path)

const listSources = async (folder: string): Promise<string[]> => {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => [])
  return names.map((name) => `${folder}/${name.replaceAll(sep, '/')}`).filter(isPartOfBuild)
}

const listPackages = async (): Promise<string[]> =>
  (await readdir(join(root, 'packages')).catch(() => [])).map((name) => `packages/${name}/src`)

/**
 * Hash of the code that runs: the server, its packages, and the page, whose file names its scripts by their hashes. Tests
 * don't count, so a checkout and a release of it have the same. 12 hex digits.
 */
export const readBuild = async (): Promise<string> => {
  const folders = ['apps/bff/src', ...(await listPackages())]
  const files = [...(await Promise.all(folders.map(listSources))).flat(), 'apps/web/dist/index.html'].toSorted()
  const hash = createHash('sha256')
  for (const file of files) {
    const content = await readFile(join(root, file)).catch(() => '')
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 12)
}
