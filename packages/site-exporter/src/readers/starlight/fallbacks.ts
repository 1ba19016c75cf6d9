import { fallbackRedirects } from '#readers/fallback-redirects.ts'
import type { Locale } from './locales.ts'

const maxFallbacks = 10_000

/** Redirects from the addresses of untranslated pages to the default language, whose text Starlight shows there. */
export const findFallbacks = (paths: readonly string[], locales: readonly Locale[]): [string, string][] => {
  const [first, ...others] = locales
  const known = new Set(paths)
  const prefixes = locales.map(({ prefix }) => prefix).filter((prefix) => prefix !== '')
  const isDefault = (path: string) =>
    path.startsWith(first!.prefix) && (first!.prefix !== '' || !prefixes.some((prefix) => path.startsWith(prefix)))
  return paths
    .filter(isDefault)
    .flatMap((path): [string, string][] => {
      const name = path.slice(first!.prefix.length)
      return others
        .filter(({ prefix }) => !known.has(prefix + name) && name !== '404')
        .flatMap(({ prefix }) => fallbackRedirects(prefix + name, path))
    })
    .slice(0, maxFallbacks)
}
