import type { SourceSite } from '#source/site.ts'
import { htmlFileOf, relativeHref, type Addresses } from '#writer/addresses.ts'
import { markup } from '#writer/markup.ts'

/** A page at an old address that leads to where its content is now. */
export type RedirectPage = { file: string; html: string }

/** Pages for the redirects of a site whose old address is free and whose new one leads somewhere. */
export const redirectPages = (site: SourceSite, addresses: Addresses): RedirectPage[] => {
  const root = { path: 'index', file: `${site.root}index.md` }
  const taken = new Set([...site.pages.keys()].map((path) => path.toLowerCase())).add('404').add('index')
  return [...site.redirects].flatMap(([old, address]): RedirectPage[] => {
    const path = decoded(old).replace(/\.html$/i, '')
    if (!isPlain(path) || taken.has(path.toLowerCase())) return []
    const destination = addresses(root, address)
    if (destination.kind !== 'page' && destination.kind !== 'outside') return []
    taken.add(path.toLowerCase())
    const file = htmlFileOf(path)
    const href =
      destination.kind === 'outside'
        ? destination.href
        : relativeHref(file, htmlFileOf(destination.path)) +
          (destination.fragment && `#${encodeURIComponent(destination.fragment)}`)
    return [{ file, html: redirectDocument(href) }]
  })
}

/** A page that leads on by itself, and has a link for readers whose browser does not follow. */
export const redirectDocument = (href: string): string =>
  markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Moved</title><meta http-equiv="refresh" content="0; url=${href}"></head><body><h1>Moved</h1><p><a href="${href}">This page has moved.</a></p></body></html>
`.html

/** Addresses that could leave the folder, or that no file can have, are not written. */
const isPlain = (path: string) =>
  path.length < 400 && path.split('/').every((part) => /^[\p{L}\p{M}\p{N}_~-][\p{L}\p{M}\p{N}._~-]{0,120}$/u.test(part))

const decoded = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
