import { posix } from 'node:path'

const endings = ['.md', '.mdx', '/index.md', '/index.mdx', '/README.md', '/README.mdx', '/readme.md']

const siteFile =
  /(^|\/)(docs\.json|mint\.json|mkdocs\.ya?ml|docusaurus\.config\.[jt]s|\.vitepress\/config(\/index)?\.\w+)$/

/** `moreRoots` are folders of pages that a site's configuration names. */
export const createLinkSpace = (files: readonly string[], moreRoots: readonly string[] = []) => {
  const known = new Set(files)
  const folders = new Set<string>([''])
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.' && !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder)
  const roots = files
    .filter((file) => siteFile.test(file))
    .map((file) => file.replace(siteFile, ''))
    .concat(moreRoots)
    .toSorted((a, b) => b.length - a.length)
  return {
    files,
    has: (file: string) => known.has(file),
    isFolder: (path: string) => folders.has(path.replace(/\/+$/, '')),
    findRoot: (page: string) => roots.find((root) => root === '' || page.startsWith(`${root}/`)) ?? '',
    fileAt: (path: string) => {
      const bare = path.replace(/\/+$/, '')
      if (bare === path && known.has(path)) return path
      const found = endings.find((ending) => known.has(bare === '' ? ending.slice(1) : bare + ending))
      if (found !== undefined) return bare === '' ? found.slice(1) : bare + found
      // Many tools link to the generated `.html` page.
      const page = bare.replace(/\.html$/i, '')
      return page === bare
        ? null
        : (endings
            .slice(0, 2)
            .map((ending) => page + ending)
            .find((file) => known.has(file)) ?? null)
    },
  }
}

export type LinkSpace = ReturnType<typeof createLinkSpace>

export type Address = { path: string; tail: string; fragment: string }

export const parseAddress = (raw: string): Address | null => {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|[{}$<>]/i.test(raw)) return null
  const match = /^([^?#]*)((?:\?[^#]*)?(?:#(.*))?)$/s.exec(raw)
  const path = decodePart(match?.[1] ?? '')
  const fragment = decodePart(match?.[3] ?? '')
  return match && path !== null && fragment !== null ? { path, tail: match[2]!, fragment } : null
}

const decodePart = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Base folders of a link: first the page's folder or the site's root, then those that other tools use. */
export const listBases = (space: LinkSpace, page: string, path: string): string[] => {
  const root = space.findRoot(page)
  if (path.startsWith('/')) return [root, posix.join(root, 'public'), posix.join(root, 'static'), '']
  const ownFolder = page.replace(/\.mdx?$/i, '').replace(/(^|\/)(index|readme)$/i, '')
  return [posix.dirname(page), ownFolder, root]
}

/** Places that a path on a page may mean, in the order of `listBases`. Places outside the checkout are left out. */
export const listPathCandidates = (space: LinkSpace, page: string, path: string): string[] =>
  listBases(space, page, path)
    .map((base) => posix.join(base, path.replace(/^\//, '')))
    .filter(isInside)

export const isInside = (place: string) => place !== '..' && !place.startsWith('../')

/** Finds the file that a path on a page leads to, as any tool may resolve it. `folderOnly` for a folder without a page, or null. */
export const resolveTarget = (space: LinkSpace, page: string, path: string): string | null => {
  const places = listPathCandidates(space, page, path).map((place) => (place === '.' || place === './' ? '' : place))
  for (const place of places) {
    const file = space.fileAt(place)
    if (file !== null) return file
  }
  return places.some((place) => space.isFolder(place)) ? folderOnly : null
}

/** Marks a folder without a page; no file has this name. */
export const folderOnly = '/'
