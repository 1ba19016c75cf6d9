import type { NavNode, SourcePage } from './source-page.ts'
import { markWord } from './words.ts'

/** First part of a path. A folder ends with a slash. */
export const readFirstPart = (path: string): string => path.slice(0, path.indexOf('/') + 1) || path

/** Builds a navigation from folders: index pages first, the rest by `order`, then by name. */
export const buildFolderTree = (pages: readonly SourcePage[], prefix = ''): NavNode[] =>
  [...Map.groupBy(pages, ({ path }) => readFirstPart(path.slice(prefix.length)))]
    .map(([part, inside]) => {
      const isFolder = part.endsWith('/')
      const page = isFolder ? inside.find(({ path }) => path === `${prefix}${part}index`) : inside[0]!
      const name = isFolder ? part.slice(0, -1) : page!.file
      const node = (): NavNode =>
        isFolder
          ? {
              kind: 'group',
              title: page?.sidebarTitle ?? page?.title ?? toHumanName(name),
              isTab: false,
              children: buildFolderTree(inside, prefix + part),
            }
          : { kind: 'page', path: page!.path }
      // Pages precede folders unless `order` differs.
      return { isIndex: part === 'index', order: page?.order ?? (isFolder ? 2e6 : 1e6), name, node }
    })
    .toSorted((a, b) => Number(b.isIndex) - Number(a.isIndex) || a.order - b.order || byName.compare(a.name, b.name))
    .map(({ node }) => node())

const byName = new Intl.Collator('en', { numeric: true })

/** Title of a page after its file, or after the folder of which it is the index. */
export const nameFile = (file: string): string => {
  const parts = file.replace(/\.mdx?$/i, '').split('/')
  return toHumanName(parts.findLast((part) => !/^(index|readme)$/i.test(part)) ?? markWord('home'))
}

/** `02-getting_started` → `Getting started`. */
export const toHumanName = (name: string) => {
  const words =
    name
      .replace(/^\d+[-_. ]+/, '')
      .replace(/[-_]+/g, ' ')
      .trim() || name
  return words[0]!.toUpperCase() + words.slice(1)
}
