import { asData, asText, isData, type Data } from '#site/data.ts'

export type Locale = { prefix: string; lang: string; label: string; dir?: unknown }

/** Languages, the default one first. */
export const readLocales = (options: Data): Locale[] => {
  const locales = Object.entries(asData(options['locales'])).filter((entry): entry is [string, Data] =>
    isData(entry[1]),
  )
  const byDefault = asText(options['defaultLocale']) ?? 'root'
  if (locales.length === 0) return [{ prefix: '', lang: byDefault === 'root' ? 'en' : byDefault, label: '' }]
  return locales
    .toSorted(([a], [b]) => Number(b === byDefault) - Number(a === byDefault))
    .map(([key, locale]) => ({
      prefix: key === 'root' ? '' : `${key}/`,
      lang: asText(locale['lang']) ?? key,
      label: asText(locale['label']) ?? key,
      dir: locale['dir'],
    }))
}

export const readTranslation = (value: unknown, { lang, prefix }: Locale): string | null => {
  if (!isData(value)) return asText(value)
  const keys = [lang, prefix.slice(0, -1), lang.split('-')[0]!]
  return keys.map((key) => asText(value[key])).find((text) => text !== null) ?? asText(Object.values(value)[0])
}
