/** Common languages whose codes are unlikely folder names. */
const translations = /^(ar|cs|de|es|fa|fr|he|hi|hu|it|ja|ko|nl|pl|pt|ru|sv|tr|uk|vi|zh)(-[a-z]{2,4})?$/i

/** Language and direction from the first folder (`fr/`, `pt-BR/`), else English. */
export const findLanguage = (path: string): { lang: string; dir: 'rtl' | null } => {
  const [, first] = /^([^/]+)(?:\/|$)/.exec(path) ?? []
  const lang = first !== undefined && translations.test(first) ? first : 'en'
  return { lang, dir: /^(ar|fa|he)\b/i.test(lang) ? 'rtl' : null }
}
