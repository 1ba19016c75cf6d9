import { findIcon } from '#markdown/icons/find-icon.ts'
import type { Social } from '#site/brand.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { LinkFrom } from './brand-links.ts'
import { showIcon } from './show-icon.ts'

/** Names of places that differ from their words with a capital. */
const titles: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  npm: 'npm',
  rss: 'Feed',
  x: 'X',
  'hacker-news': 'Hacker News',
}
/** Names that the sets of glyphs spell otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  twitter: 'x',
  'x-twitter': 'x',
  website: 'globe',
  earth: 'globe',
  'earth-americas': 'globe',
  hackernews: 'hacker-news',
}

/** Links to places of the owner, as glyphs or, unknown ones, by name. */
export const socialLinks = (socials: readonly Social[], file: string, link: LinkFrom): Markup | null => {
  const items = socials.flatMap(({ name, href }) => {
    const found = link(file, href)
    if (!found) return []
    const key = name.toLowerCase()
    const known = Object.hasOwn(otherNames, key) ? otherNames[key]! : key
    const words = known === 'globe' ? 'website' : known
    const title = Object.hasOwn(titles, words) ? titles[words]! : words[0]!.toUpperCase() + words.slice(1)
    const icon = findIcon(known === 'x' ? 'x-twitter' : known, 'fontawesome', 'brands')
    const content = icon ? markup`${showIcon(icon)}<span class="sr-only">${title}</span>` : title
    const hint = icon && markup` title="${title}"`
    return [markup`<li><a href="${found.href}"${hint} rel="noopener noreferrer">${content}</a></li>`]
  })
  return items.length > 0 ? markup`<ul class="socials">${items}</ul>` : null
}
