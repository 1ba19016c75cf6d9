import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { isScalar, type CollectionTag, type ScalarTag } from 'yaml'
import { findFile } from '#readers/globs.ts'
import { readData } from '#readers/read-text.ts'
import { parseYaml } from '#site/parse-data.ts'
import { asData, asList, asText, isData, type Data } from '#site/data.ts'

const maxInherited = 5

/** Environment variables of the build have no value here. The last item of a list is the fallback. */
const variable: ScalarTag = { tag: '!ENV', resolve: () => null }
const variables: CollectionTag = {
  tag: '!ENV',
  collection: 'seq',
  resolve: (list) => {
    const last = list.items.at(-1)
    return isScalar(last) ? last : null
  },
}

/** Reads mkdocs.yml below `base` and the files it inherits from. Python tags are read as plain values. Null if missing or invalid. */
export const readMkdocsConfig = async (folder: SourceFolder, base: string): Promise<Data | null> => {
  const file = findFile(folder, base, 'mkdocs.{yml,yaml}')
  if (file === undefined) return null
  const read = async (from: string, depth: number): Promise<Data | null> => {
    const parsed = await readData(folder, from, (text) => parseYaml(text, [variable, variables]))
    if (!isData(parsed)) return null
    const parent = asText(parsed['INHERIT'])
    if (parent === null || depth >= maxInherited) return parsed
    return mergeSettings((await read(posix.join(posix.dirname(from), parent), depth + 1)) ?? {}, parsed, 0)
  }
  return read(file, 0)
}

/** Maps are merged; other values replace the inherited ones. */
const mergeSettings = (inherited: Data, own: Data, depth: number): Data =>
  Object.fromEntries([
    ...Object.entries(inherited),
    ...Object.entries(own).map(([key, value]): [string, unknown] => {
      const before = Object.hasOwn(inherited, key) ? inherited[key] : undefined
      return [key, isData(value) && isData(before) && depth < 20 ? mergeSettings(before, value, depth + 1) : value]
    }),
  ])

/** Options of a plugin or extension from `list`, which is a map, or a list of names and maps. Null if it is not used. */
export const findOptions = (list: unknown, name: string): Data | null => {
  const entries = Array.isArray(list)
    ? (list as unknown[])
    : Object.entries(asData(list)).map(([key, value]) => ({ [key]: value }))
  for (const entry of entries) {
    if (entry === name) return {}
    if (isData(entry) && Object.hasOwn(entry, name)) return asData(entry[name])
  }
  return null
}

export const readTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? asList(value) : [value]).flatMap((entry) => asText(entry) ?? [])
