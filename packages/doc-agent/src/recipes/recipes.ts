import { posix } from 'node:path'
import { isInFolder, isPage, listPages } from '#recipes/docs/pages.ts'
import { fixLinks } from '#recipes/links/fix-links.ts'
import { movePage } from '#recipes/moving/move-page.ts'
import { fixTypos } from '#recipes/prose/fix-typos.ts'
import { replaceText } from '#recipes/prose/replace.ts'
import type { MaintenanceOrder, Scope } from './order.ts'
import type { Outcome, RecipeWork, Step } from './recipe.ts'

/** Runs an order on a checkout. Rejects with a readable error before changing anything when its scope is empty. */
export const runOrder = async (order: MaintenanceOrder, work: RecipeWork): Promise<Outcome> => {
  if (order.action === 'move') return movePage(order)(work)
  const pages = await resolveScope(order, work)
  return toStep(order)({ ...work, pages, limit: order.limit })
}

const toStep = (order: Exclude<MaintenanceOrder, { action: 'move' }>): Step => {
  if (order.action === 'replace') return replaceText(order)
  return order.action === 'fix_links' ? fixLinks : fixTypos
}

/** Null for the whole project. Names are relative to the project's folder, or to the repository's root. */
const resolveScope = async ({ folder, pages }: Scope, work: RecipeWork): Promise<string[] | null> => {
  if (folder === undefined && pages === undefined) return null
  const all = await listPages(work)
  const inFolder = folder === undefined ? all : findFolder(folder, all, work.folder)
  if (pages === undefined) return inFolder
  return [...new Set(pages.map((page) => findPage(page, inFolder, work.folder)))].toSorted()
}

const findFolder = (folder: string, all: readonly string[], project: string): string[] => {
  for (const place of [posix.join(project, toPlainPath(folder)), toPlainPath(folder)]) {
    const found = all.filter((page) => isInFolder(place, page))
    if (found.length > 0) return found
  }
  throw new Error(`There is no folder “${folder}” with pages in this project. Nothing was changed.`)
}

const findPage = (name: string, pages: readonly string[], project: string): string => {
  const places = [posix.join(project, toPlainPath(name)), toPlainPath(name)]
  const names = places.flatMap((place) => (isPage(place) ? [place] : [`${place}.md`, `${place}.mdx`]))
  const [page, ...others] = new Set(names.filter((one) => pages.includes(one)))
  if (page === undefined) throw new Error(`There is no page “${name}” in this project. Nothing was changed.`)
  if (others.length > 0) throw new Error(`“${name}” may be ${[page, ...others].join(' or ')}. Name it with its ending.`)
  return page
}

const toPlainPath = (path: string) => posix.normalize(path.replace(/^\/+|\/+$/g, '') || '.').replace(/^\.$/, '')
