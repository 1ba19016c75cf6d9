import type { IconLibrary } from '#markdown/icons/find-icon.ts'
import { own } from '#site/data.ts'

/** Set of icons whose names a site uses. `docs` is a parsed docs.json, or null. */
export const readIconLibrary = (docs: unknown): IconLibrary => {
  const library = own(own(docs, 'icons'), 'library')
  if (library === 'lucide' || library === 'tabler') return library
  return docs === null ? 'lucide' : 'fontawesome'
}
