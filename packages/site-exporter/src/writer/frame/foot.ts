import { markup, type Markup } from '#writer/markup.ts'
import type { Frame } from './html-document.ts'
import { showInlineText } from './inline-text.ts'
import { socialLinks } from './socials.ts'

/** Footer with the links and words of the owner, or null. */
export const siteFoot = ({ site, look }: Frame, file: string): Markup | null => {
  const { columns, socials } = site.brand.footer
  const lists = columns.flatMap(({ title, links }) => {
    const items = links.flatMap(({ label, href }) => {
      const found = look.link(file, href)
      return found
        ? [
            markup`<li><a href="${found.href}"${found.isOutside && markup` rel="noopener noreferrer"`}>${label}</a></li>`,
          ]
        : []
    })
    return items.length === 0
      ? []
      : [markup`<div>${title && markup`<p class="foot-title">${title}</p>`}<ul>${items}</ul></div>`]
  })
  const marks = socialLinks(socials, file, look.link)
  const texts = look.texts.map((text) => markup`<p>${showInlineText(text, file, look.link)}</p>`)
  if (lists.length === 0 && !marks && texts.length === 0) return null
  return markup`<footer class="site-foot">${lists.length > 0 && markup`<div class="foot-columns">${lists}</div>`}${marks}${texts}</footer>`
}
