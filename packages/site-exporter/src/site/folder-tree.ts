import type { NavNode, SourcePage } from './source-page.ts'

/** Builds a navigation from folders: index pages first, the rest by `order`, then by name. */
export const buildFolderTree = (pages: readonly SourcePage[]): NavNode[] => buildLevel(pages, '')

const buildLevel = (pages: readonly SourcePage[], prefix: string): NavNode[] => {
  const own: SourcePage[] = []
  const folders = new Map<string, SourcePage[]>()
  for (const page of pages) {
    const [folder, ...rest] = page.path.slice(prefix.length).split('/')
    if (rest.length === 0) own.push(page)
    else {
      const inside = folders.get(folder!) ?? []
      folders.set(folder!, inside)
      inside.push(page)
    }
  }
  const entries = [
    ...own.map((page) => ({
      page,
      name: page.file,
      order: page.order,
      node: (): NavNode => ({ kind: 'page', path: page.path }),
    })),
    ...[...folders].map(([name, inside]) => {
      const index = inside.find(({ path }) => path === `${prefix}${name}/index`)
      const title = index?.sidebarTitle ?? index?.title ?? toHumanName(name)
      const children = () => buildLevel(inside, `${prefix}${name}/`)
      return {
        page: null,
        name,
        order: index?.order ?? null,
        node: (): NavNode => ({ kind: 'group', title, isTab: false, children: children() }),
      }
    }),
  ]
  const isIndex = (page: SourcePage | null) => page?.path === `${prefix}index`
  return entries
    .toSorted(
      (a, b) =>
        Number(isIndex(b.page)) - Number(isIndex(a.page)) ||
        // Pages precede folders unless `order` differs.
        (a.order ?? (a.page ? 1e6 : 2e6)) - (b.order ?? (b.page ? 1e6 : 2e6)) ||
        byName.compare(a.name, b.name),
    )
    .map(({ node }) => node())
}

const byName = new Intl.Collator('en', { numeric: true })

/** `02-getting_started` → `Getting started`. */
export const toHumanName = (name: string) => {
  const words =
    name
      .replace(/^\d+[-_. ]+/, '')
      .replace(/[-_]+/g, ' ')
      .trim() || name
  return words[0]!.toUpperCase() + words.slice(1)
}
