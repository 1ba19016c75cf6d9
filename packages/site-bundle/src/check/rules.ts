import type { Level } from '#report.ts'
import type { Use } from './reference.ts'

export const rules = {
  'no-page': ['breaks', 'The bundle has no page.'],
  'missing-page': ['breaks', 'Links lead to {target}, which is missing.'],
  'missing-file': ['breaks', '{target} is missing.'],
  'missing-fragment': ['breaks', 'Links lead to {target}, but the page has no part with this name.'],
  'missing-result': ['breaks', 'The search finds {target}, which is missing.'],
  'local-path': ['breaks', '{target} is a path on the computer that wrote the page.'],
  'invalid-address': ['breaks', '“{target}” is not a valid address.'],
  'rule-to-nothing': ['breaks', 'A rule of the bundle leads to {target}, which is missing.'],
  'redirect-loop': ['breaks', 'The redirect at {target} never arrives at a page.'],
  'blocked-page': ['breaks', 'Pages stay blank until {host} answers, because they load {target} first.'],
  'outside-style': ['leaks', 'Pages load a style sheet from {host}.'],
  'outside-script': ['leaks', 'Pages load a script from {host}.'],
  'outside-font': ['leaks', 'Pages load a font from {host}.'],
  'outside-image': ['leaks', 'Pages load images from {host}.'],
  'outside-media': ['leaks', 'Pages load audio or video from {host}.'],
  'outside-frame': ['leaks', 'Pages show a frame from {host}.'],
  'outside-object': ['leaks', 'Pages embed a document from {host}.'],
  'outside-manifest': ['leaks', 'Pages load a web app manifest from {host}.'],
  'outside-icon': ['leaks', 'Pages load an icon from {host}.'],
  'outside-hint': ['leaks', 'Pages connect to {host} in advance.'],
  'outside-call': ['leaks', 'A script calls {host}.'],
  'outside-redirect': ['leaks', 'Pages redirect to {host} by themselves.'],
  'outside-ping': ['leaks', 'Clicks on a link are reported to {host}.'],
  'hidden-fragment': ['notes', 'Links lead to {target}, which only a script could add to the page.'],
  'missing-hint': ['notes', 'Pages announce {target}, which is missing.'],
  'inexact-address': ['notes', 'Some web servers don’t find {target}.'],
  'beside-site': ['notes', 'Links lead to {target}, beside the site.'],
  'outside-link': ['notes', 'Pages link to {host}.'],
  'private-link': ['notes', 'Pages link to {host}, which is only in a private network or on one computer.'],
  'own-address': ['notes', 'Pages link to the published site at {host}, instead of their own files.'],
  'public-address': ['notes', 'Pages name {host} as their public address.'],
  mount: ['notes', 'The site expects to be at {target}.'],
  'left-out-rule': ['notes', 'Docket leaves out the rule for {target}: {why}.'],
  'unloaded-request': ['notes', 'Only files that no page loads ask for {target}.'],
  'form-target': ['notes', 'A form sends to {target}, which is no file of the bundle.'],
  'sitemap-entry': ['notes', 'The site map lists {target}, which is missing.'],
  'no-title': ['notes', 'Pages have no title.'],
  'same-title': ['notes', 'Several pages have the title “{target}”.'],
  'no-alternative-text': ['notes', 'Images have no alternative text.'],
  'orphan-page': ['notes', 'No page links to these pages.'],
  'large-page': ['notes', 'Pages are larger than 1 MiB.'],
  'no-search': ['notes', 'The site has no search.'],
  'no-not-found-page': ['notes', 'The site has no 404 page.'],
  'similar-names': [
    'notes',
    'File names differ by case or accents’ encoding only, so Windows and macOS keep one of them.',
  ],
  'unportable-name': ['notes', 'Windows can’t have files of these names.'],
  'decoded-name': ['notes', 'The archive has names that are not UTF-8. Docket read them as {target}.'],
  'undecoded-name': ['notes', 'The archive has names in an unknown encoding. Docket kept their bytes, such as %F6.'],
  'repeated-file': ['notes', 'The archive has files several times. Docket took the last one, as tar and unzip do.'],
  'system-file': ['notes', 'Docket left out files that macOS or Windows added to the archive.'],
  'unusable-name': ['notes', 'Docket left out files whose names a folder can’t have.'],
  'dangling-link': ['notes', 'Docket left out links in the archive that lead to nothing or to themselves.'],
} as const satisfies Record<string, readonly [Level, string]>

export type Rule = keyof typeof rules

export const leakRule = (use: Exclude<Use, 'link' | 'name' | 'form'>): Rule => `outside-${use}`

/** Requests whose cause is the host; of others it is the address, because a second script is a second decision. */
const byHost: ReadonlySet<Use> = new Set<Use>(['image', 'media', 'frame', 'icon', 'hint', 'redirect', 'ping'])

export const toLeakTarget = (use: Use, url: URL): string =>
  byHost.has(use) ? url.host : cutTarget(`${url.protocol}//${url.host}${url.pathname}`)

/** Keeps hostile addresses from filling the report. */
export const cutTarget = (target: string): string =>
  target.length > 500 ? `${target.slice(0, 499).toWellFormed()}…` : target.toWellFormed()
