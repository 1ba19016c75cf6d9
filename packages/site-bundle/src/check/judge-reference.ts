import ipaddr from 'ipaddr.js'
import type { Location, ReferenceLocator } from '#locator/references.ts'
import type { Findings, NewPlaces } from './collect-findings.ts'
import type { Reference, Use } from './reference.ts'
import { leakRule, toLeakTarget } from './rules.ts'

export type Referrer = {
  path: string
  base: string
  /** For a style sheet, the places are every page that loads it. */
  toPlaces: (reference: Reference) => NewPlaces
  /** True when apparently no page loads the file. */
  isUnloaded?: boolean
}

type Judging = {
  locator: ReferenceLocator
  findings: Findings
  ownOrigin: string | null
  /** Absolute addresses of the published site lead to the same paths here. */
  isAtOwnOrigin: boolean
  onFound: (path: string, reference: Reference, referrer: Referrer, places: () => NewPlaces) => void
}

/** A longer base address is ignored, because every reference of the page is resolved against it. */
const maxBaseChars = 4_000

const hasExtension = (address: string) => /\.(?!x?html?$)[a-z0-9]{1,8}$/i.test(address)

const readLocalPath = (address: string) => (/^\s*(?:file:|[a-z]:[\\/]|\\\\)/i.test(address) ? address.trim() : null)

/** A path such as `file:///…`, `C:\…` or `\\server\…` that the address is, or that a `<base>` puts before it. */
const findLocalPath = ({ address, base }: Reference): string | null =>
  readLocalPath(address) ?? (base === undefined || URL.canParse(address) ? null : readLocalPath(base))

const isRequest = (use: Use): use is Exclude<Use, 'link' | 'name' | 'form'> =>
  use !== 'link' && use !== 'name' && use !== 'form'

const privateRanges = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** True for a host that most readers can't reach. `hostname` is that of a `URL`. A name without a dot is one of a local network. */
const isPrivateHost = (hostname: string): boolean => {
  if (/^\[|^[\d.]+$/.test(hostname)) {
    const address = hostname.replaceAll(/[[\]]/g, '')
    return ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range())
  }
  return /^[^.]+\.?$|\.(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/i.test(hostname)
}

/** Judges references: what is missing *breaks*, a request to another host *leaks*, and the rest is at most worth a note. */
export const judgeReferences = ({ locator, findings, ownOrigin, isAtOwnOrigin, onFound }: Judging) => {
  const judgeOutside = ({ use, blocks, isOptional }: Reference, url: URL, places: () => NewPlaces) => {
    if (use === 'link') {
      if (url.origin === ownOrigin) findings.addAll('own-address', url.host, places(), url.host)
      else if (/^https?:/.test(url.protocol))
        findings.addAll(isPrivateHost(url.hostname) ? 'private-link' : 'outside-link', url.host, places(), url.host)
    } else if (use === 'form') findings.addAll('form-target', url.href, places())
    else if (use === 'name') {
      if (isOptional !== true) findings.addAll('public-address', url.origin, places(), url.host)
      const found = isAtOwnOrigin && url.origin === ownOrigin ? locator.locate(url.pathname, locator.toBase('')) : null
      if (found?.kind === 'missing') findings.addAll('missing-hint', found.address, places())
    } else {
      const target = toLeakTarget(use, url)
      findings.addAll(leakRule(use), target, places(), url.host)
      if (blocks === true) findings.addAll('blocked-page', target, places(), url.host)
    }
  }

  const judgeMissing = (reference: Reference, address: string, places: () => NewPlaces) => {
    const { use, isOptional } = reference
    if (use === 'link' || use === 'redirect' || use === 'frame')
      findings.addAll(hasExtension(address) ? 'missing-file' : 'missing-page', address, places())
    else if (use === 'form') findings.addAll('form-target', address, places())
    // A server may respond to a call, and a ping needs no response.
    else if (use === 'call' || use === 'ping') return
    else findings.addAll(isOptional === true || use === 'name' ? 'missing-hint' : 'missing-file', address, places())
  }

  const locateReference = (reference: Reference, referrer: Referrer) => {
    const { base } = reference
    const from =
      base !== undefined && base.length <= maxBaseChars && URL.canParse(base, referrer.base)
        ? new URL(base, referrer.base).href
        : referrer.base
    return locator.locate(reference.address, from)
  }

  /** Defects in a file that no page loads are only notes, because no reader meets them. */
  const judgeUnloaded = ({ use, address }: Reference, location: Location, places: () => NewPlaces) => {
    const { kind } = location
    if (kind === 'outside') findings.addAll('unloaded-request', toLeakTarget(use, location.url), places())
    else if (kind === 'missing' || kind === 'beside') findings.addAll('unloaded-request', location.address, places())
    else if (kind === 'invalid') findings.addAll('unloaded-request', address.trim(), places())
  }

  const judgeLocalPath = ({ use, isOptional }: Reference, path: string, places: () => NewPlaces) => {
    if (use === 'call' || use === 'ping') return
    findings.addAll(isOptional === true || use === 'name' ? 'missing-hint' : 'local-path', path, places())
  }

  const judge = (reference: Reference, referrer: Referrer): void => {
    const localPath = findLocalPath(reference)
    const location = locateReference(reference, referrer)
    const places = () => referrer.toPlaces(reference)
    if (referrer.isUnloaded === true && isRequest(reference.use)) judgeUnloaded(reference, location, places)
    else if (localPath !== null) judgeLocalPath(reference, localPath, places)
    else if (location.kind === 'outside') judgeOutside(reference, location.url, places)
    else if (location.kind === 'missing') judgeMissing(reference, location.address, places)
    else if (location.kind === 'invalid') findings.addAll('invalid-address', reference.address.trim(), places())
    else if (location.kind === 'beside') {
      if (reference.use === 'link') findings.addAll('beside-site', location.address, places())
      else if (isRequest(reference.use)) judgeMissing(reference, location.address, places)
    } else if (location.kind === 'file') {
      if (!location.isExact) findings.addAll('inexact-address', reference.address.split('#', 1)[0]!, places())
      onFound(location.path, reference, referrer, places)
    }
  }

  /** References of a group replace each other, so the first existing file ends it and nothing is missing. */
  const judgeGroup = (group: readonly Reference[], referrer: Referrer) => {
    const first = group.findIndex((reference) => {
      const { kind } = locateReference(reference, referrer)
      return kind !== 'missing' && kind !== 'beside' && findLocalPath(reference) === null
    })
    judge(group[Math.max(0, first)]!, referrer)
  }

  return (references: readonly Reference[], referrer: Referrer): void => {
    const grouped = references.filter(({ group }) => group !== undefined)
    for (const reference of references) if (reference.group === undefined) judge(reference, referrer)
    for (const members of Map.groupBy(grouped, ({ group }) => group).values()) judgeGroup(members, referrer)
  }
}
