import { asList, asText, own } from '#site/data.ts'

const maxExpanded = 5_000

/**
 * The redirects of a docs.json as paths without slashes around them, and where each leads. A pattern for all that is in a folder (`old/*`,
 * `old/:slug`) becomes a redirect for every page that it leads to; one that leads to a single place stays, as `old/*`.
 * Servers follow other patterns; files cannot.
 */
export const readRedirects = (docs: unknown, pages: Iterable<string>): Map<string, string> => {
  const redirects = new Map<string, string>()
  const patterns: { from: string; to: string; isDeep: boolean }[] = []
  for (const item of asList(own(docs, 'redirects'))) {
    const [source, destination] = [asText(own(item, 'source')), asText(own(item, 'destination'))]
    if (source === null || destination === null) continue
    const from = source.replace(/^\/+|\/+$/g, '')
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
  // Addresses that are named alone go before patterns, whatever their order.
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
