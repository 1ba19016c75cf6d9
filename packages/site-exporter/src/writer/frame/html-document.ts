import { createHash } from 'node:crypto'
import type { SourceSite } from '#readers/source-site.ts'
import type { Language } from '#site/language.ts'
import { findWording } from '#site/words.ts'
import { toRelativeHref } from '#writer/addresses.ts'
import { findExtras, type PageExtras } from '#writer/extras/extras.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { SearchScopes } from '#writer/search/scopes.ts'
import { findPageWording, toWordsFile } from './language.ts'
import type { Look } from './look.ts'

export type Frame = {
  site: SourceSite
  version: string | null
  logo: { light: string; dark: string } | null
  /** Null for the default icon. */
  favicon: string | null
  /** Origin of a public domain, such as `https://docs.example.com`; null otherwise. */
  base: string | null
  searchScopes: SearchScopes
  look: Look
}

export type DocumentParts = {
  frame: Frame
  file: string
  language: Language
  title: string
  head: Markup
  assets: Markup
  inline?: readonly string[]
  body: readonly (Markup | null)[]
}

export const ownIcon = '_docket/icon.svg'

/** HTML document with a policy that blocks other hosts and foreign scripts. */
export const renderHtmlDocument = ({
  frame,
  file,
  language,
  title,
  head,
  assets,
  inline = [],
  body,
}: DocumentParts): string => {
  const content = markup`${body}`
  // A page with inline styles and scripts has no known location, so it cannot refer to other files.
  const extras = findExtras(inline.length > 0 ? '' : content.html)
  return markup`<!doctype html>
<html lang="${language.lang}"${language.dir && markup` dir="${language.dir}"`}${renderOwnerChoices(frame)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${formatPolicy(inline, { isDrawn: extras.isDrawn, hasFonts: frame.look.hasFonts })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${head}${assets}${renderExtraAssets(extras, file)}</head>
<body>
<a class="skip" href="#docket-content">${findWording(language.lang).frame.skip}</a>
${content}
</body>
</html>
`.html
}

const renderExtraAssets = ({ styles, scripts }: PageExtras, file: string) => [
  ...styles.map((name) => markup`<link rel="stylesheet" href="${toRelativeHref(file, name)}">\n`),
  ...scripts.map((name) => markup`<script defer src="${toRelativeHref(file, name)}"></script>\n`),
]

const renderOwnerChoices = (frame: Frame): Markup => {
  const { appearance, hasDarkCode } = frame.site.brand
  const banner = frame.look.bannerKey
  return markup`${appearance.first !== 'system' && markup` data-theme="${appearance.first}"`}${appearance.isFixed && markup` data-fixed-theme`}${hasDarkCode && markup` data-code="dark"`}${banner && markup` data-banner="${banner}"`}`
}

export const renderLinkedAssets = (frame: Frame, file: string): Markup => {
  const path = file.replace(/\.html$/, '')
  const to = (name: string) => toRelativeHref(file, name)
  const root = to('_docket').replace(/_docket$/, '')
  return markup`<link rel="icon" href="${to(frame.favicon ?? ownIcon)}">
<link rel="stylesheet" href="${to('_docket/site.css')}">
<script src="${to(toWordsFile(findPageWording(frame.site, path)))}"></script>
<script src="${to('_docket/site.js')}" data-root="${root}"></script>
<script defer src="${to('_docket/search.js')}" data-scope="${frame.searchScopes.numbers.get(path) ?? 0}"></script>
`
}

// In some browsers `'self'` matches nothing for pages opened from a disk, so `file:` is added.
const formatPolicy = (inline: readonly string[], { isDrawn, hasFonts }: { isDrawn: boolean; hasFonts: boolean }) => {
  const hashes = inline.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('')
  return [
    "default-src 'none'",
    `script-src 'self' file:${hashes}`,
    // Hashes would disable the inline styles of formulas and diagrams.
    `style-src 'self' file:${isDrawn ? " 'unsafe-inline'" : hashes}`,
    "img-src 'self' file: data:",
    ...(hasFonts || isDrawn ? ["font-src 'self' file:"] : []),
    "media-src 'self' file:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
