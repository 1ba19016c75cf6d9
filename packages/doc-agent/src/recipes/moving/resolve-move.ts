import { posix } from 'node:path'
import { isRefusedName } from '#files/walk-files.ts'
import { isPage } from '#recipes/docs/pages.ts'
import type { RecipeWork } from '#recipes/recipe.ts'

export type ResolvedMove = { kind: 'move'; from: string; to: string } | { kind: 'done'; to: string }

/**
 * Resolves the names of a move, relative to the project's folder or the repository's root, with or without ending. `done` when only the
 * new page exists. Throws with a sentence for the reader.
 */
export const resolveMove = (
  request: { from: string; to: string },
  files: readonly string[],
  { folder }: Pick<RecipeWork, 'folder'>,
): ResolvedMove => {
  const known = new Set(files)
  const find = (path: string) =>
    [path, `${path}.md`, `${path}.mdx`].filter((candidate) => known.has(candidate) && isPage(candidate))
  const [from, to] = [plainPath(request.from), plainPath(request.to)]
  // A name that starts with the folder is relative to the root only when the folder has no such page.
  const fromRoot = folder !== '' && from.startsWith(`${folder}/`) && find(posix.join(folder, from)).length === 0
  const inRepository = (path: string) =>
    folder === '' || (fromRoot && path.startsWith(`${folder}/`)) ? path : posix.join(folder, path)

  const pages = find(inRepository(from))
  if (pages.length > 1) throw new Error(`“${request.from}” may be ${pages.join(' or ')}. Name it with its ending.`)
  const [page] = pages
  const place = request.to.endsWith('/') ? posix.join(to, posix.basename(page ?? from)) : to
  if (page === undefined) {
    const [there] = find(inRepository(place))
    if (there !== undefined) return { kind: 'done', to: there }
    throw new Error(`There is no page “${request.from}”. Nothing was moved.`)
  }
  const ending = posix.extname(page)
  const target = inRepository(isPage(place) ? place : place + ending)
  if (posix.extname(target) !== ending)
    throw new Error(`“${request.from}” is a ${ending} page and stays one: its new name ends with ${ending}.`)
  const conflict = files.find((file) => withoutEnding(file) === withoutEnding(target) && file !== page)
  if (conflict !== undefined) throw new Error(`There is ${conflict} already. Nothing was moved.`)
  if (target === page) throw new Error(`“${request.from}” is there already. Nothing was moved.`)
  const parents = target.split('/').slice(0, -1)
  const inFile = parents.map((_, index) => parents.slice(0, index + 1).join('/')).find((parent) => known.has(parent))
  if (inFile !== undefined) throw new Error(`${inFile} is a file, and no page can be in it. Nothing was moved.`)
  return { kind: 'move', from: page, to: target }
}

/** Some systems treat names that differ in case as one, and readers reach `a.md` and `a.mdx` at one address. */
const withoutEnding = (file: string) => file.replace(/\.mdx?$/i, '').toLowerCase()

const plainPath = (text: string) => {
  const path = posix.normalize(text.replace(/^\/+|\/+$/g, ''))
  const parts = path.split('/')
  const isOdd = parts.some((part) => part.startsWith('.') || /^(node_modules|vendor)$/i.test(part) || part.length > 200)
  if (path === '.' || isOdd || isRefusedName(path))
    throw new Error(`“${text}” is no name for a page of this project. Nothing was moved.`)
  return path
}
