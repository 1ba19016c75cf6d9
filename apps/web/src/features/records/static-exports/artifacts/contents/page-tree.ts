import type { ArtifactPages, FindingCounts } from '@docket/api-types/artifacts'

export type ArtifactPage = ArtifactPages['pages'][number]

/** Pages below one address. `page` is the one at that address, such as `/guide/` itself. */
export type PageFolder = {
  name: string
  /** Address with a slash at the end. */
  path: string
  page: ArtifactPage | null
  folders: PageFolder[]
  pages: ArtifactPage[]
  count: number
  findings: FindingCounts
  changes: number
}

const createFolder = (name: string, path: string): PageFolder => ({
  name,
  path,
  page: null,
  folders: [],
  pages: [],
  count: 0,
  findings: { breaks: 0, leaks: 0, notes: 0 },
  changes: 0,
})

const splitAddress = (address: string): string[] =>
  address
    .replace(/(^|\/)index\.html?$/u, '$1')
    .split('/')
    .filter((part) => part !== '')

const countFolderContents = (folder: PageFolder, { findings, change }: ArtifactPage) => {
  folder.count += 1
  folder.changes += change === null ? 0 : 1
  folder.findings.breaks += findings.breaks
  folder.findings.leaks += findings.leaks
  folder.findings.notes += findings.notes
}

const foldSinglePages = (folder: PageFolder): void => {
  const isPage = ({ page, folders, pages }: PageFolder) => page !== null && folders.length + pages.length === 0
  for (const inner of folder.folders) foldSinglePages(inner)
  folder.pages.push(...folder.folders.flatMap((inner) => (isPage(inner) && inner.page ? [inner.page] : [])))
  folder.folders = folder.folders.filter((inner) => !isPage(inner))
}

export const buildPageTree = (pages: readonly ArtifactPage[]): PageFolder => {
  const root = createFolder('/', '/')
  const known = new Map([['/', root]])
  for (const page of pages) {
    let folder = root
    countFolderContents(root, page)
    for (const name of splitAddress(page.address)) {
      const path = `${folder.path}${name}/`
      const inner = known.get(path) ?? createFolder(name, path)
      if (!known.has(path)) {
        known.set(path, inner)
        folder.folders.push(inner)
      }
      folder = inner
      countFolderContents(folder, page)
    }
    // A second file at the same address, such as `guide.html` beside `guide/index.html`.
    if (folder.page === null) folder.page = page
    else folder.pages.push(page)
  }
  foldSinglePages(root)
  return root
}
