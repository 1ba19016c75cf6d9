import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { parseYaml, readText } from '#readers/read-text.ts'
import { isData, type Data } from '#site/data.ts'

const maxFolders = 2_000

/** Contents of `.pages` and `.nav.yml` files, by folder below the docs; `''` for the docs themselves. */
export const readPagesFiles = async (folder: SourceFolder, root: string): Promise<Map<string, Data>> => {
  const folders = new Set<string>([''])
  for (const file of folder.files) {
    if (!file.startsWith(root)) continue
    for (let name = posix.dirname(file.slice(root.length)); name !== '.'; name = posix.dirname(name)) folders.add(name)
  }
  const read = new Map<string, Data>()
  for (const name of [...folders].slice(0, maxFolders)) {
    for (const file of ['.pages', '.nav.yml']) {
      const text = await readText(folder, posix.join(root, name, file))
      const parsed = text === '' ? null : parseYaml(text)
      if (isData(parsed)) read.set(name, parsed)
    }
  }
  return read
}
