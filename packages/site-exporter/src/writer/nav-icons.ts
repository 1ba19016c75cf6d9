import { describeMissingIcon } from '#markdown/icons/draw-icons.ts'
import { findIcon, formatIconClass, type Icon } from '#markdown/icons/find-icon.ts'
import { listBarLinks } from '#site/brand.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { type Markup, markup } from './markup.ts'

type Site = Pick<SourceSite, 'nav' | 'pages'> & Partial<Pick<SourceSite, 'icons'>>

const drawNavIcon = (name: string | null | undefined, { icons = 'lucide' }: Site): Markup | null => {
  const icon = name ? findIcon(name, icons) : null
  return icon && renderIcon(icon)
}

export const createNavIcons = (site: Site) => {
  const byLink = new Map<string, Markup>()
  const add = (path: string | undefined, title: string, icon: string | null | undefined) => {
    const glyph = path === undefined ? null : drawNavIcon(icon, site)
    if (glyph) byLink.set(`${path}\n${title}`, glyph)
  }
  for (const { path, title, sidebarTitle, icon } of site.pages.values()) add(path, sidebarTitle ?? title, icon)
  for (const group of listGroups(site.nav)) add(listPages(group)[0], group.title, group.icon)
  return {
    ofLink: (path: string, text: string): Markup | null => byLink.get(`${path}\n${text}`) ?? null,
    ofEntry: (icon: string | null | undefined): Markup | null => drawNavIcon(icon, site),
  }
}

export const listMissingNavIcons = (site: Site & Pick<SourceSite, 'brand'>): string[] =>
  [
    ...listGroups(site.nav).map(({ icon }) => icon),
    ...[...site.pages.values()].map(({ icon }) => icon),
    ...[...listBarLinks(site.brand), ...site.brand.globals].map(({ icon }) => icon),
  ].flatMap((name) => (name ? (describeMissingIcon(name, findIcon(name, site.icons ?? 'lucide')) ?? []) : []))

const listGroups = (nodes: readonly NavNode[]): Extract<NavNode, { kind: 'group' }>[] =>
  nodes.flatMap((node) => (node.kind === 'group' ? [node, ...listGroups(node.children)] : []))

export const renderIcon = (icon: Icon): Markup =>
  markup`<span class="icon ${formatIconClass(icon)}" aria-hidden="true"></span>`
