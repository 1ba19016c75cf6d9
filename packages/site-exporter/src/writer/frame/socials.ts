import { findIcon } from '#markdown/icons/find-icon.ts'
import type { Social } from '#site/brand.ts'
import { mapNames } from '#site/data.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { LinkFrom } from './brand-links.ts'
import { renderIcon } from '#writer/nav-icons.ts'

const titles: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  'hacker-news': 'Hacker News',
  'open-collective': 'Open Collective',
  'stack-overflow': 'Stack Overflow',
  tiktok: 'TikTok',
  npm: 'npm',
  rss: 'RSS',
}
const otherNames = mapNames({
  x: 'twitter x-twitter x.com',
  website: 'earth earth-americas globe',
  'hacker-news': 'hackernews',
  telegram: 'telegramapp',
  'open-collective': 'opencollective',
  'stack-overflow': 'stackoverflow',
  email: 'mail',
})

/** Icons that are not brands. */
const generic: Readonly<Record<string, string>> = {
  website: 'lucide:globe',
  email: 'lucide:mail',
  rss: 'lucide:rss',
  x: 'fa7-brands:x-twitter',
  podcast: 'lucide:podcast',
}

/** Links to the owner's accounts, as icons, or by name if there is no icon. */
export const renderSocialLinks = (socials: readonly Social[], file: string, link: LinkFrom): Markup | null => {
  const items = socials.flatMap(({ name, href }) => {
    const found = link(file, href)
    if (!found) return []
    const key = name.toLowerCase()
    const known = otherNames.get(key) ?? key
    const icon = findIcon(Object.hasOwn(generic, known) ? generic[known]! : known, 'fontawesome', 'brands')
    const title = Object.hasOwn(titles, known) ? titles[known]! : known[0]!.toUpperCase() + known.slice(1)
    const content = icon ? markup`${renderIcon(icon)}<span class="sr-only">${title}</span>` : title
    const hint = icon && markup` title="${title}"`
    return [markup`<li><a href="${found.href}"${hint} rel="noopener noreferrer">${content}</a></li>`]
  })
  return items.length > 0 ? markup`<ul class="socials">${items}</ul>` : null
}
