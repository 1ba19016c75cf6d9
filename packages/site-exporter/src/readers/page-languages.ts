import { formatSettingLine } from '#site/brand.ts'
import {
  findDirection,
  guessLanguage,
  readFolderLanguage,
  readLanguageTag,
  type DeclaredLanguage,
  type Language,
} from '#site/language.ts'
import { listPages, type NavNode, type SourcePage } from '#site/source-page.ts'
import type { Pages } from './layout.ts'

/** Finds the language of each page: its own, else from the navigation, the configuration, its folder or its letters. */
export const findLanguages = (
  { pages, nav }: { pages: Pages; nav: readonly NavNode[] },
  declared: readonly DeclaredLanguage[],
): { language: Language; languages: ReadonlyMap<string, Language>; problems: string[] } => {
  const problems: string[] = []
  const inNavigation = listNavigationLanguages(nav)
  const read = declared.flatMap(({ prefix, ...own }) => {
    const problem = findProblem(own)
    if (problem !== null) problems.push(problem)
    const [lang, dir] = [readLanguageTag(own.lang), readDirection(own.dir)]
    return lang === null && dir === null ? [] : [{ prefix, lang, dir }]
  })
  const nested = read.filter(({ prefix }) => prefix !== '').toSorted((a, b) => b.prefix.length - a.prefix.length)
  const root = read.find(({ prefix }) => prefix === '')

  const findPlace = ({ path, script }: SourcePage) => {
    const lang = inNavigation.get(path)
    const configured = nested.find(({ prefix }) => path.startsWith(prefix))
    const folder = readFolderLanguage(path.split('/')[0]!, script)
    return {
      lang: lang ?? configured?.lang ?? folder,
      dir: lang === undefined ? (configured ?? (folder === null ? root : undefined))?.dir : undefined,
    }
  }
  const [first] = inNavigation.values()
  const whole = root?.lang ?? first ?? null
  const known =
    whole === null ? guessFromAll([...pages.values()].filter((page) => findPlace(page).lang === null)) : null
  const language = withDirection(whole ?? known?.lang ?? 'en', root?.dir ?? known?.dir)
  const languages = new Map<string, Language>()
  for (const page of pages.values()) {
    const [lang, dir] = [readLanguageTag(page.language.lang), readDirection(page.language.dir)]
    const place = findPlace(page)
    const guess = whole === null && lang === null && place.lang === null ? guessLanguage(page.script) : null
    const found = lang ?? place.lang ?? guess?.lang ?? language.lang
    languages.set(page.path, withDirection(found, dir ?? (lang === null ? (place.dir ?? guess?.dir) : undefined)))
  }
  return { language, languages, problems }
}

const withDirection = (lang: string, dir: 'ltr' | 'rtl' | null | undefined): Language => ({
  lang,
  dir: dir ? (dir === 'rtl' ? dir : null) : findDirection(lang),
})

/** Null where the direction follows the language. */
const readDirection = (dir: unknown): 'ltr' | 'rtl' | null => (dir === 'rtl' || dir === 'ltr' ? dir : null)

/** What a declared language says that no page can have. Null if there is nothing. */
export const findProblem = ({ lang, dir }: { lang: unknown; dir?: unknown }): string | null => {
  const show = (value: unknown) => String(JSON.stringify(value)).slice(0, 80).toWellFormed()
  if (lang !== undefined && lang !== null && readLanguageTag(lang) === null)
    return formatSettingLine('language', `${show(lang)} is not a language tag, such as \`fr\` or \`pt-BR\``)
  return dir === undefined || dir === null || ['ltr', 'rtl', 'auto'].includes(dir as string)
    ? null
    : formatSettingLine('direction', `${show(dir)} is neither \`ltr\` nor \`rtl\``)
}

const listNavigationLanguages = (nav: readonly NavNode[]): ReadonlyMap<string, string> => {
  const languages = new Map<string, string>()
  const walk = (node: NavNode) => {
    if (node.kind === 'page') return
    if (node.lang === undefined) node.children.forEach(walk)
    else for (const path of listPages(node)) languages.set(path, node.lang)
  }
  nav.forEach(walk)
  return languages
}

/** Language of the script that most pages have. Null if few have letters. */
const guessFromAll = (pages: readonly SourcePage[]): Language | null => {
  const counts = new Map<string | null, number>()
  for (const { script } of pages) if (script !== null) counts.set(script, (counts.get(script) ?? 0) + 1)
  const [most = null] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
  return guessLanguage(most)
}
