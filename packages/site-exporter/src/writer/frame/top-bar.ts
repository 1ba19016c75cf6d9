import { findIcon } from '#markdown/icons/find-icon.ts'
import { findLocalBrand, listBarLinks, type Brand, type BarEntry, type BrandLink } from '#site/brand.ts'
import { replaceMarks, type Words } from '#site/words.ts'
import { toRelativeHref } from '#writer/addresses.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { Navigation } from '#writer/navigation.ts'
import type { Frame } from './html-document.ts'
import { showInlineText } from './inline-text.ts'
import { renderIcon } from '#writer/nav-icons.ts'
import { renderSocialLinks } from './socials.ts'

/** Banner, top bar and tabs. The script reveals the buttons that need it. */
export const renderPageTop = (
  frame: Frame,
  file: string,
  { home, navigation, words: all }: { home: string; navigation: Navigation; words: Words },
): Markup => {
  const words = all.frame
  const { site, version, look } = frame
  const { brand } = site
  // Tabs show these already.
  const entries = findLocalBrand(brand, file).bar.filter(
    (entry) => 'links' in entry || !navigation.tabTitles.has(entry.label),
  )
  const own = renderBarEntries(frame, file, { entries, section: navigation.section, words: all })
  const prompt = brand.searchPrompt ?? words.search
  return markup`${renderBanner(frame, file, words)}<header class="top">
<div class="bar">
<button type="button" class="menu-button" data-menu aria-expanded="false" aria-controls="docket-pages" hidden>${words.menu}</button>
<a class="brand" href="${findLogoHref(frame, file, home)}">${renderBrandMark(frame, file)}</a>
${version && markup`<span class="version">${version}</span>`}
${navigation.switches.length > 0 && markup`<div class="switches">${navigation.switches}</div>`}
<button type="button" class="search-button" data-search hidden><span>${prompt}</span> <kbd aria-hidden="true">/</kbd></button>
${own && markup`<nav class="bar-links" aria-label="${words.site}">${own}</nav>`}
${brand.button && renderBarButton(frame, file, brand.button)}
${renderSocialLinks(brand.barSocials, file, look.link)}
${!brand.appearance.isFixed && markup`<button type="button" class="theme-button" data-theme-toggle aria-label="${words.darkColors}" aria-pressed="false" hidden><span aria-hidden="true">◐</span></button>`}
</div>
${navigation.tabs.map((row) => markup`<nav class="tab-row" aria-label="${words.parts}">${row}</nav>`)}
</header>
`
}

/** Links and switches of the top bar for narrow screens, where they are shown above the list of pages. */
export const renderBarInMenu = (frame: Frame, file: string, { section, switches }: Navigation): Markup | null => {
  const { button, barSocials } = frame.site.brand
  const { bar } = findLocalBrand(frame.site.brand, file)
  const items = listBarLinks({ bar, button }).flatMap((link) => {
    const anchor = renderLink(frame, file, link, section)
    return anchor ? [markup`<li>${anchor}</li>`] : []
  })
  const socials = renderSocialLinks(barSocials, file, frame.look.link)
  return items.length > 0 || switches.length > 0 || socials
    ? markup`<div class="bar-in-menu">${switches}${items.length > 0 && markup`<ul>${items}</ul>`}${socials}</div>`
    : null
}

const findLogoHref = ({ site, look }: Frame, file: string, home: string) =>
  (site.brand.logoHref === null ? null : look.link(file, site.brand.logoHref)?.href) ?? home

export const renderBrandMark = ({ site, logo }: Frame, file: string): Markup => {
  if (!logo) return markup`<span class="site-name">${site.name}</span>`
  const alt = site.brand.hasName ? '' : site.name
  const image = (kind: string, name: string) =>
    markup`<img class="${kind}" src="${toRelativeHref(file, name)}" alt="${alt}">`
  const images =
    logo.light === logo.dark
      ? image('', logo.light)
      : markup`${image('on-light', logo.light)}${image('on-dark', logo.dark)}`
  return markup`${images}${site.brand.hasName && markup`<span class="site-name">${site.name}</span>`}`
}

const renderLink = (frame: Frame, file: string, link: BrandLink, section: string | null): Markup | null => {
  const found = frame.look.link(file, link.href)
  const isCurrent = link.label === section && markup` aria-current="true"`
  return (
    found &&
    markup`<a href="${found.href}"${isCurrent}${found.isOutside && markup` class="leaves" rel="noopener noreferrer"`}>${renderBarLabel(frame, link)}</a>`
  )
}

const renderBarLabel = ({ site }: Frame, { label, icon }: BrandLink): Markup => {
  const glyph = icon === null ? null : findIcon(icon, site.icons)
  return markup`${glyph && renderIcon(glyph)}${label}`
}

const renderBarEntries = (
  frame: Frame,
  file: string,
  { entries, section, words }: { entries: readonly BarEntry[]; section: string | null; words: Words },
): Markup | null => {
  const items = entries.flatMap((entry): Markup[] => {
    if (!('links' in entry)) {
      const anchor = renderLink(frame, file, entry, section)
      return anchor ? [markup`<li>${anchor}</li>`] : []
    }
    const links = entry.links.flatMap((link) => renderLink(frame, file, link, section) ?? [])
    return links.length === 0
      ? []
      : [
          markup`<li><details class="switch"><summary${entry.links.some(({ label }) => label === section) && markup` aria-current="true"`}>${replaceMarks(words, entry.label)}</summary><ul>${links.map((link) => markup`<li>${link}</li>`)}</ul></details></li>`,
        ]
  })
  return items.length > 0 ? markup`<ul>${items}</ul>` : null
}

const renderBarButton = (frame: Frame, file: string, link: BrandLink) => {
  const found = frame.look.link(file, link.href)
  return (
    found &&
    markup`<a class="bar-button" href="${found.href}"${found.isOutside && markup` rel="noopener noreferrer"`}>${renderBarLabel(frame, link)}</a>`
  )
}

const renderBanner = ({ site, look }: Frame, file: string, words: Words['frame']) =>
  look.banner &&
  markup`<aside class="banner${findBannerTone(site.brand)}" aria-label="${words.announcement}"><p>${showInlineText(look.banner, file, look.link)}</p>${
    site.brand.banner?.isDismissible === true &&
    markup`<button type="button" data-dismiss aria-label="${words.closeAnnouncement}" hidden>×</button>`
  }</aside>
`

const findBannerTone = ({ banner }: Brand) => (banner && banner.tone !== 'info' ? ` ${banner.tone}` : '')
