import { readdirSync, readFileSync } from 'node:fs'
import type en from './words/en.json'

/** Words of the interface. `lang` is their language, which is English for pages in a language without a table. */
export type Words = typeof en & { lang: string }

type Forms = { other: string }

const folder = new URL('./words/', import.meta.url)

/** Tables by the tag of their file: whoever adds `xx.json` with the keys of `en.json` adds a language. */
const tables: ReadonlyMap<string, Words> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const lang = name.slice(0, -'.json'.length)
      const table = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as typeof en
      return [lang, { lang, ...table }]
    }),
)

const known = new Map<string, Words>()

/** Words for pages in a language: of the same tag, else of the same language and script, else of the same language. */
export const findWording = (tag: string): Words => {
  const words = known.get(tag) ?? tables.get(tag) ?? findNearest(tag)
  known.set(tag, words)
  return words
}

const findNearest = (tag: string) => {
  const wanted = new Intl.Locale(tag).maximize()
  const near = [...tables.values()].filter(({ lang }) => new Intl.Locale(lang).language === wanted.language)
  const ofScript = near.find(({ lang }) => new Intl.Locale(lang).maximize().script === wanted.script)
  return ofScript ?? tables.get(wanted.language) ?? tables.get('en')!
}

const rules = new Map<string, Intl.PluralRules>()
const findRules = (lang: string) => {
  const found = rules.get(lang) ?? new Intl.PluralRules(lang)
  rules.set(lang, found)
  return found
}

/** Puts values into the places of a text, such as `{name}`. The value `count` chooses the plural form. */
export const fillWording = (
  { lang }: Words,
  text: string | Forms,
  values: Readonly<Record<string, string | number>>,
): string => {
  const forms: Readonly<Record<string, string>> & Forms = typeof text === 'string' ? { other: text } : text
  const form = forms[findRules(lang).select(Number(values['count'] ?? 0))] ?? forms.other
  return form.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name]! : place
    return typeof value === 'number' ? new Intl.NumberFormat(lang).format(value) : value
  })
}

/** Stands for a word of the frame where the language of the page isn't known yet. */
export const markWord = (key: keyof typeof en.frame, count = 0): string => `\uE000${key} ${count}\uE001`

/** Replaces the marks in a text. */
export const replaceMarks = (words: Words, text: string): string =>
  text.replace(/\uE000(\w+) (\d{1,6})\uE001/g, (mark, key: string, count: string) =>
    Object.hasOwn(words.frame, key)
      ? fillWording(words, words.frame[key as keyof Words['frame']], { count: Number(count) })
      : mark,
  )
