import type { SourceSite } from '#readers/source-site.ts'
import { listBarLinks } from '#site/brand.ts'
import type { NavNode } from '#site/source-page.ts'
import { encodePart, toRelativeHref, toHtmlFile, type Addresses } from '#writer/addresses.ts'
import type { Media } from '#writer/media.ts'

type Target =
  | { kind: 'page'; path: string; fragment: string }
  | { kind: 'outside'; to: string }
  | { kind: 'file'; to: string }

export type FrameLink = { href: string; isOutside: boolean }

/** Finds the link from an output file to an address of the owner's settings. Null if there is no such page or file. */
export type LinkFrom = (file: string, address: string) => FrameLink | null

/** Resolves the addresses of the frame once, because every page shows them. `leave` reports broken ones. */
export const resolveBrandLinks = async (
  site: SourceSite,
  inTexts: readonly string[],
  deps: { addresses: Addresses; media: Media; leave: (what: string) => void },
): Promise<LinkFrom> => {
  const targets = new Map<string, Target | null>()
  for (const address of new Set([...listAddresses(site), ...inTexts])) {
    const target = await resolveAddress(site, address, deps)
    targets.set(address, target)
    if (!target) deps.leave(`${address.slice(0, 200)}: no page or file has this address`)
  }
  return (file, address) => {
    const target = targets.get(address) ?? null
    if (target === null) return null
    if (target.kind === 'outside') return { href: target.to, isOutside: true }
    if (target.kind === 'file') return { href: toRelativeHref(file, target.to), isOutside: false }
    const fragment = target.fragment && `#${encodePart(target.fragment)}`
    return { href: toRelativeHref(file, toHtmlFile(target.path)) + fragment, isOutside: false }
  }
}

const resolveAddress = async (
  site: SourceSite,
  address: string,
  { addresses, media }: { addresses: Addresses; media: Media },
): Promise<Target | null> => {
  const destination = addresses({ path: 'index', file: `${site.root}index.md` }, address)
  if (destination.kind === 'page') return destination
  if (destination.kind === 'outside') return { kind: 'outside', to: destination.href }
  if (destination.kind !== 'file') return null
  const copied = await media.copy(destination.candidates)
  return 'file' in copied ? { kind: 'file', to: copied.file } : null
}

const listAddresses = ({ brand, nav, pages }: SourceSite): string[] => [
  ...[...pages.values()].flatMap((page) => page.brand.url ?? []),
  ...(brand.logoHref === null ? [] : [brand.logoHref]),
  ...[brand, ...brand.locals.map(({ bar }) => ({ bar, button: null }))].flatMap(listBarLinks).map(({ href }) => href),
  ...[...brand.barSocials, ...brand.footer.socials, ...brand.globals].map(({ href }) => href),
  ...brand.footer.columns.flatMap(({ links }) => links.map(({ href }) => href)),
  ...nav.flatMap(listEnds),
]

const listEnds = (node: NavNode): string[] =>
  node.kind === 'page' ? [] : [...(node.href === undefined ? [] : [node.href]), ...node.children.flatMap(listEnds)]
