import type { BundleFile, BundlePage } from '#manifest.ts'

/** By type, because crawlers write pages without an ending. */
export const isPage = ({ type }: Pick<BundleFile, 'type'>): boolean =>
  /^(?:text\/html|application\/xhtml\+xml)(?:;|$)/.test(type)

/** Such as `.html`; empty for any other file. */
export const readPageEnding = (path: string): string => /\.x?html?$/i.exec(path)?.[0] ?? ''

/** Encodes what an address cannot contain as it is. Letters of all scripts stay readable. */
const encodeName = (path: string) => path.replaceAll(/[%?#\\\s\p{C}]/gu, encodeOne)

const encodeOne = (character: string) => (character.isWellFormed() ? encodeURIComponent(character) : '%EF%BF%BD')

/** Address of a file within the site, such as `/guide/`: that of a reader, without `index.html` and `.html`. `path` is relative to the root. */
export const toAddress = (path: string): string =>
  `/${encodeName(path)}`.replace(/(\/)index\.x?html?$|\.x?html?$/i, '$1')

export const toFileAddress = (path: string): string => `/${encodeName(path)}`

export const isNotFoundAddress = (address: string): boolean => /^\/404\/?$/.test(address)

/** Pages that readers look for, as bundles count and list them: without redirects and the 404 page. */
export const listReaderPages = <Page extends Pick<BundlePage, 'address' | 'redirectsTo'>>(
  pages: readonly Page[],
): Page[] => pages.filter(({ address, redirectsTo }) => redirectsTo === null && !isNotFoundAddress(address))
