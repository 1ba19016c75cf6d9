import GithubSlugger from 'github-slugger'

/** How the ids of headings are made, so that links from elsewhere into the site go on working. */
export type Dialect = 'common' | 'vitepress'

/** Gives the next id for a heading; of two equal headings the second gets a number. */
export const createSlugger = (style: Dialect): ((text: string) => string) => {
  if (style === 'common') {
    const slugger = new GithubSlugger()
    return (text) => slugger.slug(text || 'section')
  }
  const used = new Set<string>()
  return (text) => {
    const slug = toVitepressSlug(text) || 'section'
    let id = slug
    for (let number = 1; used.has(id); number++) id = `${slug}-${number}`
    used.add(id)
    return id
  }
}

const special = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g

/** Punctuation becomes hyphens, where GitHub drops it: `vi.mock` is `vi-mock`. */
const toVitepressSlug = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed
    .replace(/[\u0000-\u001F]/g, '')
    .replace(special, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()

/** What is left of an id when case and punctuation do not count, so that ids of different tools can be compared. */
export const bareId = (id: string): string =>
  id
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
