import type { SourceFolder } from '@docket/sources/source-folder'
import { readText } from '#readers/read-text.ts'
import { asData, asList, asText } from '#site/data.ts'
import type { DocsOptions } from './options.ts'

export type Version = {
  name: string
  label: string
  /** Part of the addresses of its pages; empty for the default version. */
  path: string
  folder: string
  /** Name of the same folder in translations. */
  translated: string
  sidebars: string | null
}

const maxVersions = 60

/** Versions of the docs, the last released one first. `docs` is the folder of the current version. */
export const readVersions = async (
  folder: Pick<SourceFolder, 'read' | 'files'>,
  base: string,
  { id, options }: DocsOptions,
  { docs, sidebars }: { docs: string; sidebars: string | null },
): Promise<Version[]> => {
  const prefix = base + (id === 'default' ? '' : `${id}_`)
  const released = options['disableVersioning'] === true ? [] : await readNames(folder, `${prefix}versions.json`)
  const only = asList(options['onlyIncludeVersions'])
  const hasCurrent = released.length === 0 || options['includeCurrentVersion'] !== false
  const names = [...released, ...(hasCurrent ? ['current'] : [])].filter(
    (name) => only.length === 0 || only.includes(name),
  )
  /** True for the latest release if its folder is missing: the build then copies the current docs. */
  const isCopied = (name: string) =>
    !hasCurrent && name === released[0] && ![...folder.files].some((file) => file.startsWith(folderOf(name)))
  const folderOf = (name: string) => `${prefix}versioned_docs/version-${name}/`
  const last = asText(options['lastVersion']) ?? released.find((name) => names.includes(name)) ?? 'current'
  return names
    .map((name): Version => {
      const { label, path } = asData(asData(options['versions'])[name])
      const isCurrent = name === 'current'
      return {
        name,
        label: asText(label) ?? (isCurrent ? 'Next' : name),
        path: typeof path === 'string' ? path : name === last ? '' : isCurrent ? 'next' : name,
        folder: isCurrent || isCopied(name) ? docs : folderOf(name),
        translated: isCurrent ? 'current' : `version-${name}`,
        sidebars: isCurrent ? sidebars : `${prefix}versioned_sidebars/version-${name}-sidebars.json`,
      }
    })
    .toSorted((a, b) => Number(b.name === last) - Number(a.name === last))
}

const readNames = async (folder: Pick<SourceFolder, 'read'>, file: string): Promise<string[]> => {
  try {
    const names: unknown = JSON.parse(await readText(folder, file))
    return asList(names)
      .filter((name) => typeof name === 'string')
      .slice(0, maxVersions)
  } catch {
    return []
  }
}
