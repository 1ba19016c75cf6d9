import { listPages, type NavNode } from '#site/source-page.ts'

/** Common languages whose codes are unlikely folder names. */
const translations = /^(ar|cs|de|es|fa|fr|he|hi|hu|it|ja|ko|nl|pl|pt|ru|sv|tr|uk|vi|zh)(-[a-z]{2,4})?$/i

/** Languages of pages by navigation, cached because every page needs them. */
const listed = new WeakMap<readonly NavNode[], ReadonlyMap<string, string>>()

const listLanguages = (nav: readonly NavNode[]): ReadonlyMap<string, string> => {
  const known = listed.get(nav)
  if (known) return known
  const languages = new Map<string, string>()
  const walk = (node: NavNode) => {
    if (node.kind === 'page') return
    if (node.lang === undefined) node.children.forEach(walk)
    else for (const path of listPages(node)) languages.set(path, node.lang)
  }
  nav.forEach(walk)
  listed.set(nav, languages)
  return languages
}

/** Language and direction of a page: from the navigation, else from its first folder (`fr/`, `pt-BR/`), else English. */
export const findLanguage = (nav: readonly NavNode[], path: string): { lang: string; dir: 'rtl' | null } => {
  const [, first] = /^([^/]+)(?:\/|$)/.exec(path) ?? []
  const folder = first !== undefined && translations.test(first) ? first : 'en'
  const lang = listLanguages(nav).get(path) ?? folder
  return { lang, dir: /^(ar|fa|he)\b/i.test(lang) ? 'rtl' : null }
}
