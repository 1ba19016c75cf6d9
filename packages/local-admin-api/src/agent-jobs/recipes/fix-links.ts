import { posix } from 'node:path'
import { changePages, pagesOf } from '#agent-jobs/recipes/pages.ts'
import type { Step } from '#agent-jobs/recipes/recipe.ts'
import { count, leftAlone, shortened } from '#agent-jobs/step.ts'

// No bracket and no space inside an address: a page full of opening brackets is then still read in one pass.
const relativeLink = /(\]\()(\.{1,2}\/[^()[\]#\s]{1,500})(#[^()[\]\s]{0,200})?(\))/g

/** Repairs relative links whose letter case or ending is wrong, where exactly one file can be meant. */
export const fixLinks: Step = async ({ checkout }) => {
  const pages = await pagesOf(checkout)
  const exact = new Set(pages)
  const byFolded = Map.groupBy(pages, (page) => folded(page))
  let fixed = 0
  const unclear: string[] = []
  const { changed, left } = await changePages(checkout, (text, page) =>
    text.replaceAll(relativeLink, (whole, open: string, target: string, hash = '', close: string) => {
      const path = posix.normalize(posix.join(posix.dirname(page), target))
      if (!/\.mdx?$/i.test(path) || exact.has(path)) return whole
      const candidates = byFolded.get(folded(path)) ?? []
      if (candidates.length !== 1) {
        unclear.push(`${page}: ${target}`)
        return whole
      }
      fixed += 1
      const relative = posix.relative(posix.dirname(page), candidates[0]!)
      return `${open}${relative.startsWith('.') ? relative : `./${relative}`}${hash}${close}`
    }),
  )
  const done = fixed === 0 ? 'No link to fix.' : `Fixed ${count(fixed, 'link')} in ${count(changed, 'page')}.`
  const rest = unclear.length === 0 ? '' : ` Left alone, because nothing proves what is meant: ${shortened(unclear)}.`
  return done + rest + leftAlone(left)
}

const folded = (path: string) => path.toLowerCase().replace(/\.mdx?$/, '')
