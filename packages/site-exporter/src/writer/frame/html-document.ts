import { createHash } from 'node:crypto'
import type { SourceSite } from '#readers/source-site.ts'
import { relativeHref } from '#writer/addresses.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { Look } from './look.ts'

/** Shared parts of all pages. Files are in the bundle. */
export type Frame = {
  site: SourceSite
  version: string | null
  logo: { light: string; dark: string } | null
  /** Null for the default icon. */
  favicon: string | null
  /** Origin of a public domain, such as `https://docs.example.com`; null otherwise. */
  base: string | null
  /** False for deployments without search (Admin API §1); every page says so. */
  search: boolean
  look: Look
}

/** Parts of an HTML document. */
export type DocumentParts = {
  frame: Frame
  /** Output file, for relative links. */
  file: string
  language: { lang: string; dir: 'rtl' | null }
  title: string
  /** Rest of the head. */
  head: Markup
  /** Styles and scripts. */
  assets: Markup
  /** Inline scripts and styles that the policy allows. */
  inline?: readonly string[]
  body: readonly (Markup | null)[]
}

/** Default icon. */
export const ownIcon = '_docket/icon.svg'

/** HTML document with a policy that blocks other hosts and foreign scripts. */
export const htmlDocument = ({ frame, language, title, head, assets, inline = [], body }: DocumentParts): string =>
  markup`<!doctype html>
<html lang="${language.lang}"${language.dir && markup` dir="${language.dir}"`}${ownerChoices(frame)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(inline, frame.look.hasFonts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${head}${assets}</head>
<body>
<a class="skip" href="#docket-content">Skip to the content</a>
${body}
</body>
</html>
`.html

/** Choices of the owner that styles and scripts read. */
const ownerChoices = (frame: Frame): Markup => {
  const { appearance, hasDarkCode } = frame.site.brand
  const banner = frame.look.bannerKey
  return markup`${appearance.first !== 'system' && markup` data-theme="${appearance.first}"`}${appearance.isFixed && markup` data-fixed-theme`}${hasDarkCode && markup` data-code="dark"`}${banner && markup` data-banner="${banner}"`}`
}

/** Links icon, styles and scripts of the bundle. */
export const linkedAssets = (frame: Frame, file: string): Markup => {
  const to = (name: string) => relativeHref(file, name)
  const root = to('_docket').replace(/_docket$/, '')
  return markup`<link rel="icon" href="${to(frame.favicon ?? ownIcon)}">
<link rel="stylesheet" href="${to('_docket/site.css')}">
<script src="${to('_docket/site.js')}" data-root="${root}"></script>
${frame.search && markup`<script defer src="${to('_docket/search.js')}"></script>\n`}`
}

// Some browsers match nothing with `'self'` on a disk; `file:` covers them.
const policy = (inline: readonly string[], hasFonts: boolean) => {
  const hashes = inline.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('')
  return [
    "default-src 'none'",
    `script-src 'self' file:${hashes}`,
    `style-src 'self' file:${hashes}`,
    "img-src 'self' file: data:",
    ...(hasFonts ? ["font-src 'self' file:"] : []),
    "media-src 'self' file:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
