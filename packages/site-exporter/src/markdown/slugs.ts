import GithubSlugger from 'github-slugger'

/** Tool of a site. It decides the notation of pages and the heading ids, so that links from other sites keep working. */
export type Dialect = 'common' | 'vitepress' | 'starlight' | 'docusaurus' | 'mkdocs' | 'book' | 'gitbook'

export const createSlugger = (style: Dialect): ((text: string) => string) => {
  if (style === 'common' || style === 'gitbook' || style === 'starlight' || style === 'docusaurus') {
    const slugger = new GithubSlugger()
    return (text) => slugger.slug(text || 'section')
  }
  const { toSlug, mark } = rules[style]
  const used = new Set<string>()
  return (text) => {
    const slug = toSlug(text) || 'section'
    let id = slug
    for (let number = 1; used.has(id); number++) id = slug + mark + number
    used.add(id)
    return id
  }
}

const special = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g

/** Replaces punctuation by hyphens, while GitHub drops it: `vi.mock` becomes `vi-mock`. */
const toVitepressSlug = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    // oxlint-disable-next-line no-control-regex -- it removes control characters
    .replace(/[\u0000-\u001F]/g, '')
    .replace(special, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()

/** Drops non-ASCII characters, as Python-Markdown does by default. */
const toPythonSlug = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')

/** Drops punctuation and keeps each space, as mdBook does. */
const toBookSlug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .replace(/\s/g, '-')

const rules = {
  vitepress: { toSlug: toVitepressSlug, mark: '-' },
  mkdocs: { toSlug: toPythonSlug, mark: '_' },
  book: { toSlug: toBookSlug, mark: '-' },
} as const

/** Id without case and punctuation, to compare ids of different tools. */
export const toBareId = (id: string): string =>
  id
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
