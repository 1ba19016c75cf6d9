import { listFiles, isPage, readText } from '#recipes/docs/pages.ts'
import type { RecipeWork } from '#recipes/recipe.ts'
import type { Move } from './move-links.ts'

const settings = /\.(json|ya?ml|toml|[cm]?[jt]s)$/i

/**
 * Files that have the old path of a page in them after its move, which nothing here can judge: navigation of other tools, code, pages outside of the project's folder.
 * `site` is not among them, because its redirect has to name it. Called when the links are changed and the file has its new place.
 */
export const findMentions = async (
  work: RecipeWork,
  { from, to, before }: Move,
  site: string | null,
): Promise<string[]> => {
  const root = before.findRoot(from)
  const path = from.slice(root === '' ? 0 : root.length + 1).replace(/\.mdx?$/i, '')
  // A name of one word is said about many things, and with its ending about one.
  const name = path.includes('/') ? path : from
  const wanted = new RegExp(`(?<![\\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-])`)
  const mentions: string[] = []
  for (const file of await listFiles(work.checkout)) {
    if (file === site || file === to || !(isPage(file) || settings.test(file))) continue
    const text = await readText(work.checkout, file)
    if (text !== null && wanted.test(text)) mentions.push(file)
  }
  return mentions
}
