import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes files below `target`, and makes each folder once. */
export const fileWriter = (target: string): ((file: string, content: string) => Promise<void>) => {
  const folders = new Map<string, Promise<unknown>>()
  return async (file: string, content: string) => {
    const folder = dirname(join(target, file))
    const creation = folders.get(folder) ?? mkdir(folder, { recursive: true })
    folders.set(folder, creation)
    await creation
    await writeFile(join(target, file), content)
  }
}
