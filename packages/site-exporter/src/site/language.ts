import { asText } from './data.ts'

export type Language = { lang: string; dir: 'rtl' | null }

/** Language as the owner wrote it, for the pages whose paths begin with `prefix`; an empty prefix means the whole site. */
export type DeclaredLanguage = { prefix: string; lang: unknown; dir?: unknown }

/** Codes that people write for a language, but that name a country. */
const countries: Readonly<Record<string, string>> = { cn: 'zh', jp: 'ja', ua: 'uk' }

/** Language tag as HTML needs it. Null for text that is no tag, such as the name of a programming language. */
export const readLanguageTag = (value: unknown): string | null => {
  const name = (asText(value) ?? '').replaceAll('_', '-')
  try {
    const [tag = ''] = Intl.getCanonicalLocales(
      Object.hasOwn(countries, name.toLowerCase()) ? countries[name.toLowerCase()] : name,
    )
    return /^[a-z]{2,3}(?:-|$)/.test(tag) ? tag : null
  } catch {
    return null
  }
}

/** Name of a language in that language or in `shownIn`; null for an unknown one. */
export const findLanguageName = (tag: string, shownIn = tag): string | null => {
  try {
    return new Intl.DisplayNames([shownIn], { type: 'language', fallback: 'none' }).of(tag) ?? null
  } catch {
    return null
  }
}

/** Direction of the script in which a language is usually written: `pa` is left to right, `pa-Arab` is not. */
export const findDirection = (tag: string): Language['dir'] => {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getTextInfo: () => { direction?: string } }
  return locale.getTextInfo().direction === 'rtl' ? 'rtl' : null
}

/** Scripts by the number of Latin letters that take the same space. */
const weights: Readonly<Record<string, number>> = { Latn: 1, Hani: 3, Hira: 3, Kana: 3, Hang: 3 }
const alphabets =
  'Arab Hebr Thaa Cyrl Grek Deva Beng Thai Geor Armn Taml Telu Knda Mlym Gujr Guru Sinh Khmr Laoo Mymr'.split(' ')
const counters = [...Object.keys(weights), ...alphabets].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'gu')] as const,
)
const otherLetters = /[\u0370-\u1fff\u2e80-\ud7ff\uf900-\ufdff]/
/** Only the beginning of a page is looked at. Characters. */
const maxText = 20_000
const fewLetters = 40

/** ISO 15924 code of the script of most letters of a text outside code. Null for a text with few letters. */
export const findScript = (markdown: string): string | null => {
  const text = markdown.slice(0, maxText).replace(/```[^]*?(?:```|$)|`[^`\n]*`|<[^<>]*>|\]\([^()\s]*\)/g, ' ')
  const counts = new Map<string, number>()
  for (const [name, letters] of otherLetters.test(text) ? counters : counters.slice(0, 1))
    counts.set(name, (text.match(letters)?.length ?? 0) * (weights[name] ?? 1))
  const { Hani = 0, Hira = 0, Kana = 0 } = Object.fromEntries(counts)
  // Japanese text also has Chinese characters, but Chinese text has no kana.
  if ((Hira + Kana) * 10 > Hani) counts.set('Hira', Hira + Kana + Hani)
  const [name, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))
  return count < fewLetters ? null : name
}

/** Scripts that several languages of today share. */
const sharedScripts = new Set(['Cyrl', 'Deva', 'Beng', 'Mymr', 'Guru'])

/** Language of a text in `script`. Several languages share the Arabic script, so only its direction is certain. */
export const guessLanguage = (script: string | null): Language | null => {
  if (script === null || sharedScripts.has(script)) return null
  if (script === 'Arab' || script === 'Latn') return { lang: 'en', dir: script === 'Arab' ? 'rtl' : null }
  const lang = new Intl.Locale(`und-${script}`).maximize().language
  return { lang, dir: findDirection(lang) }
}

/** Common languages whose codes are unlikely folder names, alone or with a country or script. */
const commonLanguages =
  /^(ar|bg|ca|cs|da|de|el|es|fa|fi|fr|he|hi|hu|it|ja|ko|nl|pl|pt|ro|ru|sk|sv|th|tr|uk|ur|vi|zh)(?:-[a-z]{4})?(?:-[a-z]{2})?$|^en-[a-z]{2}$/i

/** Language of a folder such as `fr` or `pt-BR`. Other codes, such as `ug`, must agree with the script of the page. */
export const readFolderLanguage = (folder: string, script: string | null): string | null => {
  const tag = readLanguageTag(folder)
  if (tag === null || commonLanguages.test(tag)) return tag
  return script !== null &&
    script !== 'Latn' &&
    findLanguageName(tag) !== null &&
    new Intl.Locale(tag).maximize().script === script
    ? tag
    : null
}
