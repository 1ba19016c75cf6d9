import type { SourceSite } from '#readers/source-site.ts'
import type { Language } from '#site/language.ts'
import { findWording, type Words } from '#site/words.ts'

export const findLanguage = (site: Pick<SourceSite, 'language' | 'languages'>, path: string): Language =>
  site.languages.get(path) ?? site.language

export const findPageWording = (site: Pick<SourceSite, 'language' | 'languages'>, path: string): Words =>
  findWording(findLanguage(site, path).lang)

/** Script with the words that the other scripts show on pages with these words. */
export const toWordsFile = ({ lang }: Words): string => `_docket/words-${lang}.js`

export const formatWordsFile = ({ lang, scripts }: Words): string =>
  `docketWords=${JSON.stringify({ lang, ...scripts })}\n`
