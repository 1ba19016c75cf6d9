import type { SourceSite } from '#readers/source-site.ts'
import type { Language } from '#site/language.ts'

export const findLanguage = (site: Pick<SourceSite, 'language' | 'languages'>, path: string): Language =>
  site.languages.get(path) ?? site.language
