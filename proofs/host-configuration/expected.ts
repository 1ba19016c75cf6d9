import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSiteLocator } from '#packages/site-bundle/src/locator/locator.ts'
import { formatContentType } from '#packages/site-bundle/src/serve/respond.ts'
import { listAgreeAddresses } from '#packages/site-bundle/src/testing/agree/addresses.ts'
import type { OpenedBundle } from './opened-bundle.ts'

/** A response, as far as every host must agree on it. `sha256` is of the body. */
export type Answer = { status: number; location: string | null; sha256: string | null; type: string | null }

/** Addresses of a bundle that readers ask for, and some that it does not have. */
export const listAddresses = ({ manifest, folder, path: mount }: OpenedBundle): string[] => {
  const { root, files, pages } = manifest
  const paths = files.flatMap(({ path }) => (path.startsWith(root) ? [path.slice(root.length)] : []))
  const read = (path: string) => readFileSync(join(folder, root, path), 'utf8')
  const texts = paths.filter((path) => /\.x?html?$/i.test(path)).map((path) => [path, read(path)] as const)
  const listed = paths
    .filter((path) => /sitemap[^/]*\.xml$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/<loc>([^<]+)<\/loc>/g)])
    .map(([, url = '']) => decodeURIComponent(new URL(url, 'http://site.invalid').pathname))
  const rules = paths.filter((path) => /^(_redirects|vercel\.json)$/.test(path)).map(read)
  const addresses = listAgreeAddresses({
    mount,
    paths,
    pages: new Map(texts),
    rules,
    listed: [...listed, ...pages.map(({ address }) => address)],
  })
  return [
    // Some servers join slashes before their configuration is asked.
    ...addresses.filter((address) => !/\/(?:\/|%2f)/i.test(address)),
    '//evil.example',
    '//evil.example/',
    '//guide',
    ...['/old?a=1&b=%20', '/guide?x=y', '/asked?a=1', '/asked-deep?a=1'].map((rest) => mount + rest.slice(1)),
  ]
}

/** What Docket's hosting answers. */
export const createDocketAnswers = ({ manifest, path: mount }: OpenedBundle): ((address: string) => Answer) => {
  const { root, files, rules = { rules: [], headers: [], leftOut: [] } } = manifest
  const { resolve } = createSiteLocator({ root, mount, files, rules })
  const found = new Map(files.map((file) => [file.path, file]))
  return (address) => {
    const [path = '', query = ''] = address.split(/\?(.*)/s, 2)
    const located = resolve(path, { query })
    const { status } = located
    if (located.kind === 'not_found') return { status, location: null, sha256: null, type: null }
    if (located.kind === 'redirect') return { status, location: located.to, sha256: null, type: null }
    const file = found.get(located.path)!
    return { status, location: null, sha256: file.sha256, type: formatContentType(file).split(';', 1)[0]! }
  }
}
