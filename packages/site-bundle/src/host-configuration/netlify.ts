import { encodeAddress } from '#locator/addresses.ts'
import { removeLeftOut, type ConfigurationFile, type HostedSite, forever, safeHeaders } from './hosted-site.ts'
import type { HostedRule } from './located-site.ts'
import { writeComment, noteLeftOut, toComment } from './text.ts'

/**
 * The name of a file with our lines, and what to do with it. A bundle's own file stays, because it may say more than Docket reads; in a
 * folder the host does not read it, so its rules are written again.
 */
export const placeFile = ({ ownRules, path }: HostedSite, name: '_redirects' | '_headers') => {
  const isOwn = ownRules.includes(name)
  return isOwn && path === '/'
    ? {
        name: `add-to-${name}.txt`,
        step: `The bundle’s own ${name} stays in place. Add the lines of add-to-${name}.txt at its end.`,
      }
    : {
        name,
        step: isOwn
          ? `${name} has the rules of the bundle’s own ${name} that Docket reads. Add those that are left out from there.`
          : `Put ${name} there.`,
      }
}

export const cannotHave = 'Redirects that this host cannot have'

export const writeNetlify = (site: HostedSite): ConfigurationFile[] => {
  const { path, root, notFound, name, sha256 } = site
  const needsRule = notFound !== null && (path !== '/' || notFound !== '404.html')
  const [redirects, headers] = [placeFile(site, '_redirects'), placeFile(site, '_headers')]
  const { lines: written, leftOut } = writeRedirectLines(site)
  const isAdded = redirects.name !== '_redirects'
  const head = writeComment('#', [
    `${name} on Netlify, made by Docket from the bundle ${sha256}.`,
    path === '/'
      ? `Publish ${root === '' ? 'the folder of the unpacked bundle' : 'the folder of the site in the unpacked bundle'}.`
      : `Move the site to a folder ${path.slice(1)}, put _redirects and _headers beside its first folder, and publish the folder above.`,
    redirects.step,
    headers.step,
    removeLeftOut,
    'Netlify serves files before redirects, and answers 301 where Docket answers 308.',
    ...(isAdded ? [] : [...site.notes, ...noteLeftOut(cannotHave, leftOut)]),
  ])
  const lines = isAdded ? listRulesElsewhere(site) : written.map(({ text }) => text)
  const text = [head, '', ...lines, ...(needsRule ? [`${path}* ${path}${notFound} 404`] : []), ''].join('\n')
  return [{ name: redirects.name, text }, writeHeadersFile(site, [])]
}

/** Lines for rules that the bundle has in another file than `_redirects`. */
export const listRulesElsewhere = (site: HostedSite): string[] =>
  writeRedirectLines({ ...site, rules: site.rules.filter(({ file }) => file !== '_redirects') }).lines.map(
    ({ text }) => text,
  )

/** Headers of `_headers` for an address. Both hosts join what several rules say about one header, so no rule repeats one. */
const writeRule = (address: string, headers: Readonly<Record<string, string>>) =>
  [address, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')

/** Writes `_headers`. The hosts make browsers ask again for all other files by themselves. */
export const writeHeadersFile = (site: HostedSite, more: readonly string[]): ConfigurationFile => ({
  name: placeFile(site, '_headers').name,
  text: [
    writeComment('#', [`Made by Docket from the bundle ${site.sha256}.`]),
    '',
    writeRule(`${site.path}*`, safeHeaders),
    ...site.hashedFolders.map((folder) => writeRule(`${folder}*`, { 'Cache-Control': forever })),
    ...more,
  ].join('\n'),
})

/** Writes the rule for the type of files with an ending, for hosts that allow a wildcard in front of it. */
export const writeTypeRule = (address: string, type: string): string => writeRule(address, { 'Content-Type': type })

export type RedirectLine = { rule: HostedRule; from: string; text: string }

/** Writes rules as both hosts read them. Leaves out, with the reason, what they read in another way. */
export const writeRedirectLines = ({ rules, path }: Pick<HostedSite, 'rules' | 'path'>) => {
  const leftOut: string[] = []
  const below = (address: string) => (address.startsWith('/') ? path + address.slice(1) : address)
  const lines = rules.flatMap((rule): RedirectLine[] => {
    const { from, query, status, page, isForced, parts, hasRest } = rule
    const isRead = parts.some((part) => ('text' in part ? /[*:]/.test(part.text) : part.isNumber))
    const to = rule.to ?? (page === null ? '/404.html' : `/${page}`)
    if (isRead) leftOut.push(`${toComment(from)}: “*”, “:” and numbers in an address mean something else here`)
    else {
      const names = parts.map((part) => ('text' in part ? encodeAddress(part.text) : `:${part.name}`))
      const address = below(`/${[...names, ...(hasRest ? ['*'] : [])].join('/')}`)
      const asked = Object.entries(query ?? {}).map(([name, value]) => `${name}=${value} `)
      const text = `${address} ${asked.join('')}${below(to)} ${status}${isForced === true ? '!' : ''}`
      return [{ rule, from: below(from), text }]
    }
    return []
  })
  return { lines, leftOut }
}
