import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isHostRule } from '@docket/site-bundle/locator/hidden-files'
import type { SiteContent } from './delivery-target.ts'

/** Crawlers, browsers and hosts look for these at the root of a host. */
const isCopied = (path: string) => /^(?:404\.html|robots\.txt|favicon\.ico|\.well-known\/.+)$/.test(path)
const isMoved = (path: string) => path === 'CNAME' || isHostRule(path)

/**
 * Folder of a target, such as `proj/`, in which readers find a site built for `mount`, such as `/proj/`. Empty for the target itself, and
 * null when no folder is right. `address`: URL of the target, null when unknown; `place`: its path on the server or in the bucket.
 */
export const findSiteFolder = (mount: string, address: string | null, place: string): string | null => {
  if (mount === '/') return ''
  if (address === null) return `/${place}/`.endsWith(mount) ? '' : mount.slice(1)
  const [path, wanted] = [address.replace(/\/*$/, '/'), encodeURI(mount)].map((one) => new URL(one, address).pathname)
  return wanted!.startsWith(path!) ? decodeURI(wanted!.slice(path!.length)) : null
}

/** Puts a site into a folder of a target, and beside it a page that leads there. An empty folder changes nothing. */
export const placeSite = (site: SiteContent, folder: string): SiteContent => {
  if (folder === '') return site
  const to = folder.split('/').map(encodeURIComponent).join('/')
  const page = Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${to}</title><meta http-equiv="refresh" content="0; url=${to}"><link rel="canonical" href="${to}"><p><a href="${to}">${to}</a>\n`,
  )
  const sha256 = createHash('sha256').update(page).digest('hex')
  const toSource = (path: string) => (path.startsWith(folder) ? path.slice(folder.length) : path)
  return {
    sum: site.sum,
    files: [
      ...site.files.flatMap((file) => (isMoved(file.path) ? [] : { ...file, path: folder + file.path })),
      ...site.files.filter(({ path }) => isCopied(path) || isMoved(path)),
      { path: 'index.html', sizeBytes: page.length, sha256, type: 'text/html' },
    ],
    open: async (path) => (path === 'index.html' ? Readable.from([page]) : site.open(toSource(path))),
  }
}
