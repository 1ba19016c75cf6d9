import { decodeAddress } from '#locator/addresses.ts'
import type { Rule } from '#site-rules.ts'
import type { Findings, NewPlace } from './collect-findings.ts'
import type { OpenedContent } from './site-content.ts'

/** Browsers follow no more redirects than this. */
const maxRedirects = 20

/** An address that a rule takes: with words for its names. */
const makeSample = ({ from, query = {} }: Rule) => {
  const address = from.replaceAll(/:[a-z]\w*\(number\)/gi, '1').replaceAll(/(?<=\/)(?::[a-z]\w*|\*$)/gi, 'x')
  const asked = Object.entries(query).map(([key, value]) => [key, value.replace(/^:.*/s, 'x')])
  return `${encodeURI(address)}?${new URLSearchParams(asked).toString()}`
}

/** Checks that the rules of a bundle arrive, and names those that are left out. */
export const checkRules = ({ site, findings }: { site: OpenedContent; findings: Findings }): void => {
  const { rules, siteLocator, mount, root, hasFolder } = site
  const base = mount.slice(0, -1)
  const toPlace = (file: string, ...parts: unknown[]): NewPlace => ({
    page: null,
    path: root + file,
    excerpt: () => parts.join(' ').slice(0, 200).toWellFormed(),
  })
  const arrive = (start: string): 'found' | 'missing' | 'never' => {
    const seen = new Set<string>()
    for (let at = start; at.startsWith('/');) {
      if (seen.has(at) || seen.size > maxRedirects) return 'never'
      seen.add(at)
      const [address = '', query = ''] = at.split('#', 1)[0]!.split(/\?(.*)/s, 2)
      const found = siteLocator.resolve(address, { query })
      if (found.kind !== 'redirect') return found.status < 400 ? 'found' : 'missing'
      at = found.to
    }
    return 'found'
  }
  /** A target with names is missing only when the site has no folder for it. */
  const isCertain = (to: string) => {
    const fixed = to.slice(0, /:[a-z]\w*/i.exec(to)?.index ?? to.length)
    return fixed === to || !hasFolder(decodeAddress(fixed.slice(1, fixed.lastIndexOf('/') + 1)) ?? '')
  }
  for (const rule of rules.rules) {
    const { from, to, status, file } = rule
    if (to === null) continue
    const end = arrive(base + (status < 400 ? makeSample(rule) : to))
    const place = toPlace(file, from, to, status)
    if (end === 'never') findings.add('redirect-loop', from, place)
    else if (end === 'missing' && isCertain(to)) findings.add('rule-to-nothing', to, place)
  }
  for (const { from, to, why, file } of rules.leftOut) findings.add('left-out-rule', from, toPlace(file, from, to), why)
}
