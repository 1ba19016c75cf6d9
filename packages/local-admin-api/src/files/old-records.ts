import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#log.ts'

const plainName = /^[\w-]{1,100}$/
/** Files read at the same time: a folder of thousands must not use up the descriptors of the process. */
const atOnce = 64
/** Larger than any record. Bytes. */
const maxBytes = 16 * 1024 * 1024
/** Left by a crash of an earlier version. */
const halfWritten = /\.json\.[\w-]{36}\.tmp$/

/** Records of an earlier version, one JSON file each. Files that are not records are set aside and logged, and stop nothing. */
export const readRecords = async <T>(
  folder: string,
  parse: (value: unknown, id: string) => T | null,
  log: Log,
): Promise<T[]> => {
  const toPath = (id: string) => join(folder, `${id}.json`)
  const load = async (id: string): Promise<{ record: T } | { problem: string } | null> => {
    try {
      // A pipe never ends, and a link may lead to a foreign file.
      const found = await lstat(toPath(id))
      if (!found.isFile()) return { problem: 'it is no plain file' }
      if (found.size > maxBytes) return { problem: `it has more than ${maxBytes / 1024 / 1024} MB` }
      const record = parse(JSON.parse(await readFile(toPath(id), 'utf8')), id)
      return record === null ? { problem: 'it is no record of this service' } : { record }
    } catch (error) {
      if (error instanceof SyntaxError) return { problem: 'it is not JSON' }
      if (readCode(error) === 'EACCES') return { problem: 'it may not be read' }
      if (readCode(error) === 'ENOENT') return null
      throw error
    }
  }
  const setAside = async (name: string, problem: string) => {
    const aside = join(folder, 'set-aside')
    try {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await rename(join(folder, name), join(aside, `${name}.${randomUUID()}`))
      log.warn({ file: join(folder, name), aside, problem }, 'a file that is no record was set aside')
    } catch (error) {
      log.warn({ file: join(folder, name), problem, err: error }, 'a file that is no record is passed over')
    }
  }
  const loadOrSetAside = async (name: string): Promise<T[]> => {
    const id = name.slice(0, -'.json'.length)
    const loaded = plainName.test(id) ? await load(id) : { problem: 'its name is none of ours' }
    if (loaded === null) return []
    if ('record' in loaded) return [loaded.record]
    await setAside(name, loaded.problem)
    return []
  }
  const all = await readdir(folder)
  for (const name of all.filter((each) => halfWritten.test(each))) await rm(join(folder, name), { force: true })
  const names = all.filter((name) => name.endsWith('.json'))
  const records: T[] = []
  for (let first = 0; first < names.length; first += atOnce)
    records.push(...(await Promise.all(names.slice(first, first + atOnce).map(loadOrSetAside))).flat())
  return records
}

const readCode = (error: unknown) => (error as NodeJS.ErrnoException).code

export const isFolder = async (folder: string): Promise<boolean> =>
  (await lstat(folder).catch(() => null))?.isDirectory() === true

/** Renames a folder, whose files are now in the database, to `….imported`. An older folder of that name stays. */
export const keepAsImported = async (folder: string): Promise<void> => {
  let target = `${folder}.imported`
  for (let number = 2; await isFolder(target); number += 1) target = `${folder}.imported-${number}`
  await rename(folder, target)
}
