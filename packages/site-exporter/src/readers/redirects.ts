import { asList, asText, readOwn, trimSlashes } from '#site/data.ts'

const maxExpanded = 5_000

/** Redirects as paths without outer slashes. A pattern (`old/*`, `old/:slug`) becomes one redirect per target page, or stays `old/*` for a single target. */
export const readRedirects = (docs: unknown, pages: Iterable<string>): Map<string, string> => {
  const redirects = new Map<string, string>()
  const patterns: { from: string; to: string; isDeep: boolean }[] = []
  for (const item of asList(readOwn(docs, 'redirects'))) {
    const [source, destination] = [asText(readOwn(item, 'source')), asText(readOwn(item, 'destination'))]
    if (source === null || destination === null) continue
    const from = trimSlashes(source)
    const [, folder = '', wild = ''] = /^([^*:]*)\/(\*|:[\w-]+\*?)$/.exec(from) ?? []
    if (!/[*:]/.test(from)) redirects.set(from, destination)
    else if (folder !== '' && destination.endsWith(`/${wild}`))
      patterns.push({
        from: folder,
        to: destination.slice(0, -wild.length).replace(/^\/+/, ''),
        isDeep: wild.endsWith('*'),
      })
    else if (folder !== '' && !/[*]|\/:/.test(destination)) redirects.set(`${folder}/*`, destination)
  }
  // Exact addresses win over patterns.
  for (const page of patterns.length > 0 ? pages : []) {
    for (const { from, to, isDeep } of patterns) {
      const rest = page.startsWith(to) ? page.slice(to.length) : ''
      const old = `${from}/${rest}`
      if (rest === '' || (!isDeep && rest.includes('/')) || redirects.has(old) || redirects.size > maxExpanded) continue
      redirects.set(old, `/${page}`)
    }
  }
  return redirects
}

const maxFallbacks = 10_000

/** Redirects from the addresses of untranslated pages, and from the folders of those that are an index. */
export const listFallbackRedirects = (pages: readonly (readonly [path: string, target: string])[]) =>
  pages
    .flatMap(([path, target]) =>
      [...new Set([path, path.replace(/\/index$/, '')])].map((address): [string, string] => [address, `/${target}`]),
    )
    .slice(0, maxFallbacks)
