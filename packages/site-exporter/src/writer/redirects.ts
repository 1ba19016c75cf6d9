import { decodeAddress } from '#site/data.ts'
import { hasSafeFolders } from '#site/page-paths.ts'
import { renderHtmlDocument, renderLinkedAssets, type Frame } from '#writer/frame/html-document.ts'
import { encodePart, toHtmlFile, toRelativeHref, type Addresses } from './addresses.ts'
import { markup } from './markup.ts'

export type RedirectPage = { file: string; html: string }

const maxRedirects = 10_000

/** `leave` reports redirects without a free address or a valid target, unless a page has their address. */
export const buildRedirectPages = (
  frame: Frame,
  addresses: Addresses,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  leave: (old: string, reason: string) => void,
): RedirectPage[] => {
  const { site } = frame
  const root = { path: 'index', file: `${site.root}index.md` }
  const used = new Set([...site.pages.keys()].map((path) => path.toLowerCase())).add('404').add('index')
  const all = [...site.redirects]
  if (all.length > maxRedirects) leave('docs.json', `a site may have ${maxRedirects} redirects`)
  return all.slice(0, maxRedirects).flatMap(([old, address]): RedirectPage[] => {
    const path = decodeAddress(old).replace(/\.html$/i, '')
    if (used.has(path.toLowerCase())) return []
    const no = (reason: string) => {
      leave(`${old} → ${address}`, reason)
      return []
    }
    if (!isPlain(path) || !hasSafeFolders(path)) return no('no file can have this old address')
    const destination = addresses(root, address)
    if (destination.kind !== 'page' && destination.kind !== 'outside') return no('the new address leads nowhere')
    used.add(path.toLowerCase())
    const file = toHtmlFile(path)
    // Readers have to confirm before they leave the export.
    if (destination.kind === 'outside') return [{ file, html: renderLeavingDocument(frame, file, destination.href) }]
    const { path: target, fragment: id } = destination
    const fragment = ids.get(target)?.has(id) ? `#${encodePart(id)}` : ''
    return [{ file, html: renderRedirectDocument(toRelativeHref(file, toHtmlFile(target)) + fragment) }]
  })
}

const renderRedirectDocument = (href: string): string =>
  markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Moved</title><meta http-equiv="refresh" content="0; url=${href}"></head><body><h1>Moved</h1><p><a href="${href}">This page has moved.</a></p></body></html>
`.html

const renderLeavingDocument = (frame: Frame, file: string, href: string): string =>
  renderHtmlDocument({
    frame,
    file,
    language: { lang: 'en', dir: null },
    title: `Moved · ${frame.site.name}`,
    head: markup`<meta name="robots" content="noindex">\n`,
    assets: renderLinkedAssets(frame, file),
    body: [
      markup`<main id="docket-content" tabindex="-1" class="alone"><h1>Moved</h1>
<p>This page has moved to another site: <a href="${href}" rel="noopener noreferrer">${href}</a></p></main>`,
    ],
  })

const isPlain = (path: string) =>
  path.length < 400 && path.split('/').every((part) => /^[\p{L}\p{M}\p{N}_~-][\p{L}\p{M}\p{N}._~-]{0,120}$/u.test(part))
