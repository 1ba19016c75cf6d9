import { toHtmlFile, relativeHref } from '#writer/addresses.ts'
import { markup, type Markup } from '#writer/markup.ts'
import type { Frame } from './frame.ts'

/** Bar at the top of a page, with the tabs of the site below it. Its buttons need the script, so they are shown by it. */
export const pageHeader = (frame: Frame, file: string, tabs: readonly Markup[]): Markup => {
  const { site, version, search } = frame
  const home = site.pages.has('index') ? 'index' : [...site.pages.keys()][0]
  return markup`<header class="top">
<div class="bar">
<button type="button" class="menu-button" data-menu aria-expanded="false" aria-controls="docket-pages" hidden>Menu</button>
${home !== undefined && markup`<a class="brand" href="${relativeHref(file, toHtmlFile(home))}">${brand(frame, file)}</a>`}
${version && markup`<span class="version">${version}</span>`}
${search && markup`<button type="button" class="search-button" data-search aria-keyshortcuts="/" hidden><span>Search</span><kbd>/</kbd></button>`}
<button type="button" class="theme-button" data-theme-toggle hidden aria-label="Dark colours" aria-pressed="false"><span aria-hidden="true">◐</span></button>
</div>
${tabs.map((row, index) => markup`<nav class="tab-row" aria-label="${index === 0 ? 'Sections' : `Sections, level ${index + 1}`}">${row}</nav>`)}
</header>`
}

const brand = ({ site, logo }: Frame, file: string) => {
  if (!logo) return markup`${site.name}`
  const image = (kind: string, name: string) =>
    markup`<img class="${kind}" src="${relativeHref(file, name)}" alt="${site.name}">`
  return logo.light === logo.dark
    ? image('', logo.light)
    : markup`${image('on-light', logo.light)}${image('on-dark', logo.dark)}`
}
