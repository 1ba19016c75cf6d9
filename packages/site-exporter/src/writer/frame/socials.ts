import type { Social } from '#site/brand.ts'
import { markup, raw, type Markup } from '#writer/markup.ts'
import type { LinkFrom } from './brand-links.ts'

const line = (d: string) =>
  `<path d="${d}" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/>`
const solid = (d: string) => `<path d="${d}" fill="currentColor"/>`

/** Plain marks of well-known places on a square of 24. */
const marks: Readonly<Record<string, { title: string; mark: string }>> = {
  github: {
    title: 'GitHub',
    mark: line(
      'M9 20.5v-3.2c-4 1-5-2-5-2M15 20.5v-3.8c0-1-.3-1.6-.8-2 3-.3 5-1.6 5-5 0-1.2-.4-2.3-1.2-3.1.1-.9.1-1.9-.3-2.9-1.2 0-2.5.7-3.2 1.3a11 11 0 0 0-5 0C8.8 4.4 7.5 3.7 6.3 3.7c-.4 1-.4 2-.3 2.9-.8.8-1.2 1.9-1.2 3.1 0 3.4 2 4.7 5 5-.5.4-.8 1-.8 2',
    ),
  },
  x: { title: 'X', mark: line('M4.5 4.5l15 15M19.5 4.5l-15 15') },
  discord: {
    title: 'Discord',
    mark:
      line(
        'M8.5 6.5C6.5 7 5.5 7.5 5.5 7.5 3.5 11 3 15 3.2 17.3 5 18.8 6.8 19.2 8 19.3l1-1.8M15.5 6.5c2 .5 3 1 3 1 2 3.5 2.5 7.5 2.3 9.8-1.8 1.5-3.6 1.9-4.8 2l-1-1.8M8 6.8c2.6-.7 5.4-.7 8 0M7.5 16.8c3 1.2 6 1.2 9 0',
      ) + solid('M9 11a1.4 1.5 0 1 0 0 3 1.4 1.5 0 1 0 0-3zM15 11a1.4 1.5 0 1 0 0 3 1.4 1.5 0 1 0 0-3z'),
  },
  linkedin: {
    title: 'LinkedIn',
    mark:
      line('M4 4h16v16H4zM8 11v5.5M12 16.5V11m0 2.5c0-3.2 4.5-3.2 4.5 0v3') +
      solid('M8 7.2a.9.9 0 1 0 0 1.8.9.9 0 1 0 0-1.8z'),
  },
  youtube: {
    title: 'YouTube',
    mark: line('M3 7.5Q3 5.5 5 5.5h14q2 0 2 2v9q0 2-2 2H5q-2 0-2-2z') + solid('M10 9v6l5-3z'),
  },
  slack: { title: 'Slack', mark: line('M9.5 4v16M14.5 4v16M4 9.5h16M4 14.5h16') },
  instagram: {
    title: 'Instagram',
    mark:
      line('M8 4h8q4 0 4 4v8q0 4-4 4H8q-4 0-4-4V8q0-4 4-4zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7z') +
      solid('M16.5 6.5a1 1 0 1 0 0 2 1 1 0 1 0 0-2z'),
  },
  facebook: { title: 'Facebook', mark: line('M13 21v-9m0 0h3.5M13 12H9.5M13 12V8.5Q13 5 16.5 5') },
  telegram: { title: 'Telegram', mark: line('M3.5 11.5L20.5 4.5 17.5 19.5 11 14.5zM11 14.5l-.5 5 3-3M11 14.5l6-6.5') },
  reddit: {
    title: 'Reddit',
    mark:
      line('M12 9c4.5 0 8 2.3 8 5.2S16.5 19.5 12 19.5 4 17.2 4 14.2 7.5 9 12 9zM12 9l1-4.5 4 1M9.5 16.5q2.5 1.5 5 0') +
      solid('M9 12a1.2 1.2 0 1 0 0 2.4A1.2 1.2 0 1 0 9 12zM15 12a1.2 1.2 0 1 0 0 2.4A1.2 1.2 0 1 0 15 12z'),
  },
  bluesky: {
    title: 'Bluesky',
    mark: line(
      'M12 11.5C10.5 8.5 7 5.5 5 5c-1.5 0-1.5 5 0 7 1 1.3 2.5 1.5 4 1.3-2.5.4-4 2-2 4.2 2 2 4 .5 5-2.5 1 3 3 4.5 5 2.5 2-2.2.5-3.8-2-4.2 1.5.2 3 0 4-1.3 1.5-2 1.5-7 0-7-2 .5-5.5 3.5-7 6.5z',
    ),
  },
  mastodon: {
    title: 'Mastodon',
    mark: line(
      'M8 20.5c3 .8 6 .3 8-.5M6.5 16.5C3.5 13 3.5 9 4.5 6.5 5.5 4 8 3.5 12 3.5s6.5.5 7.5 3c.8 2 .8 5.5 0 7.5-1.5 3-8.5 3-13 2.5zM8.5 13V9.5c0-3 3.5-3 3.5 0V11m0-1.5c0-3 3.5-3 3.5 0V13',
    ),
  },
  'hacker-news': { title: 'Hacker News', mark: line('M4 4h16v16H4zM8.5 7.5L12 13l3.5-5.5M12 13v4.5') },
  medium: {
    title: 'Medium',
    mark: solid(
      'M7.5 6.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11zM17 7c-1.5 0-2.7 2.2-2.7 5s1.2 5 2.7 5 2.7-2.2 2.7-5-1.2-5-2.7-5zM21.5 8c-.5 0-1 1.8-1 4s.5 4 1 4 1-1.8 1-4-.5-4-1-4z',
    ),
  },
  rss: {
    title: 'Feed',
    mark: line('M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14') + solid('M6.5 16a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3z'),
  },
  website: {
    title: 'Website',
    mark: line('M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17zM3.5 12h17M12 3.5c-5 5-5 12 0 17 5-5 5-12 0-17z'),
  },
}

const otherNames: Readonly<Record<string, string>> = {
  twitter: 'x',
  'x-twitter': 'x',
  earth: 'website',
  globe: 'website',
  'earth-americas': 'website',
  hackernews: 'hacker-news',
}

/** Links to places of the owner, as marks or, unknown ones, by name. */
export const socialLinks = (socials: readonly Social[], file: string, link: LinkFrom): Markup | null => {
  const items = socials.flatMap(({ name, href }) => {
    const found = link(file, href)
    if (!found) return []
    const key = name.toLowerCase()
    const known = Object.hasOwn(otherNames, key) ? otherNames[key]! : key
    const place = Object.hasOwn(marks, known) ? marks[known]! : null
    const content = place
      ? markup`<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${raw(place.mark)}</svg><span class="sr-only">${place.title}</span>`
      : markup`${name[0]!.toUpperCase() + name.slice(1)}`
    const title = place && markup` title="${place.title}"`
    return [markup`<li><a href="${found.href}"${title} rel="noopener noreferrer">${content}</a></li>`]
  })
  return items.length > 0 ? markup`<ul class="socials">${items}</ul>` : null
}
