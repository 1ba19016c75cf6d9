import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { parse } from 'parse5'
import type { Manifest } from '#manifest.ts'
import type { ComparableSite } from '#comparison/compare-sites.ts'
import { readMediaType } from '#media-type.ts'
import { describePage, hashStyle } from '#pages/describe-page.ts'

const sha256 = (content: string | Buffer) => hash('sha256', content, 'hex')

const toAddress = (path: string) => `/${path}`.replace(/(\/)index\.html$|\.html$/, '$1')

/** A site in memory with the manifest that a check writes for it. `files`: content by path. */
export const openMemorySite = (
  files: ReadonlyMap<string, string | Buffer>,
  redirects: Manifest['redirects'] = [],
): ComparableSite & { reads: string[] } => {
  const reads: string[] = []
  const isPage = (path: string) => path.endsWith('.html')
  const sums = new Map([...files].map(([path, content]) => [path, sha256(content)]))
  const styles = new Map(
    [...files].flatMap(([path, content]) =>
      path.endsWith('.css') ? [[path, hashStyle(String(content))] as const] : [],
    ),
  )
  const describe = (path: string, html: string) => {
    const base = `http://site.invalid${toAddress(path)}`
    const locate = (reference: string) => (URL.canParse(reference, base) ? new URL(reference, base) : null)
    return describePage(parse(html), {
      resolveLink: (href) => {
        const url = locate(href)
        if (!url || !/^https?:$/.test(url.protocol)) return null
        if (url.origin !== 'http://site.invalid') return url.href
        return `${toAddress(url.pathname.slice(1))}${url.hash}`
      },
      findFile: (reference) => {
        const url = locate(reference)
        const found = url?.origin === 'http://site.invalid' ? decodeURIComponent(url.pathname.slice(1)) : ''
        const sum = isPage(found) ? undefined : sums.get(found)
        return sum === undefined ? null : { path: found, sha256: sum, styleHash: styles.get(found) ?? null }
      },
    })
  }
  let manifest: Manifest | undefined
  return {
    reads,
    manifest: async () =>
      (manifest ??= {
        version: 1,
        sha256: sha256(JSON.stringify([...sums])),
        ending: '.tar.gz',
        sizeBytes: 0,
        contentBytes: 0,
        root: '',
        files: [...files].map(([path, content]) => ({
          path,
          sizeBytes: Buffer.byteLength(content),
          sha256: sums.get(path)!,
          type: readMediaType(path) ?? 'application/octet-stream',
        })),
        pages: [...files]
          .filter(([path]) => isPage(path))
          .map(([path, content]) => ({
            ...describe(path, String(content)),
            address: toAddress(path),
            path,
            sizeBytes: Buffer.byteLength(content),
            redirectsTo: /http-equiv="refresh" content="0; url=([^"]+)"/.exec(String(content))?.[1] ?? null,
          }))
          .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
        redirects,
      }),
    read: async (path, range) => {
      reads.push(path)
      const content = Buffer.from(files.get(path) ?? '')
      return Readable.from([range ? content.subarray(range.start, range.end + 1) : content])
    },
  }
}
