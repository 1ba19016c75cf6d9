import pMap from 'p-map'
import type { SiteContent } from '#delivery-target.ts'

/** `hasRights` is true when it has the permissions that Docket gives, or when the target has no permissions. */
export type Entry = { name: string; isFolder: boolean; hasRights: boolean }

/** Folders as file systems have them. Paths are relative to the target, and empty for the target itself. */
export type Folders = {
  /** Does not follow links. Empty for a missing folder, and where folders are only parts of names. */
  listFolder(path: string): Promise<Entry[]>
  /** Gives a file or folder the permissions of what is delivered, unless the system forbids that. */
  setRights(path: string, isFolder: boolean): Promise<void>
  /** Removes a file. Follows no link, and succeeds for a missing one. */
  remove(path: string): Promise<void>
  concurrency: number
}

/** `extra` lists entries in the folders of the site that are not part of it, unless they belong to others. */
export const createSiteTree = (files: Folders, start: string, isOurs: (entry: Entry) => boolean) => {
  const { concurrency } = files
  const compare = async (site: SiteContent) => {
    const parts = new Map([['', true], ...site.files.map(({ path }) => [path, false] as const)])
    for (const { path } of site.files)
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
        parts.set(path.slice(0, end), true)
    const folders = [...parts].filter(([, isFolder]) => isFolder).map(([path]) => (path === '' ? '' : `${path}/`))
    const list = async (folder: string) =>
      (await files.listFolder(start + folder)).map((entry) => ({ ...entry, path: folder + entry.name }))
    const found = (await pMap(folders, list, { concurrency })).flat()
    return {
      extra: found
        .filter((entry) => !parts.has(entry.path) && isOurs(entry))
        .map(({ path }) => path)
        .toSorted(),
      closed: found.filter(({ path, hasRights }) => parts.has(path) && !hasRights),
    }
  }
  return {
    listExtra: async (site: SiteContent) => (await compare(site)).extra,
    tidy: async (site: SiteContent) => {
      const { extra, closed } = await compare(site)
      await pMap(extra, (path) => files.remove(start + path), { concurrency })
      await pMap(closed, ({ path, isFolder }) => files.setRights(start + path, isFolder), { concurrency })
    },
  }
}
