import { toLine } from '@docket/sources/text'
import { hasUtilities } from '#markdown/components/utilities.ts'
import { findLocalBrand, type Brand } from '#site/brand.ts'
import { fillWording, type Words } from '#site/words.ts'
import type { SourcePage } from '#site/source-page.ts'
import { renderHtmlDocument, renderLinkedAssets, type Frame } from '#writer/frame/html-document.ts'
import { showInlineText } from '#writer/frame/inline-text.ts'
import { findLanguage, findPageWording } from '#writer/frame/language.ts'
import { renderBarInMenu, renderPageTop } from '#writer/frame/top-bar.ts'
import { encodePart, encodePath, toRelativeHref, toHtmlFile, toPublicPath } from './addresses.ts'
import { markup, trustHtml, type Markup } from './markup.ts'
import type { Navigation } from './navigation.ts'
import type { RenderedPage } from './render-page.ts'
import { toFeedFile, hasFeed } from '#writer/copies/feeds.ts'
import { toMarkdownFile } from '#writer/copies/markdown-copy.ts'
import { isPicture } from '#writer/frame/look.ts'
import { renderSocialLinks } from '#writer/frame/socials.ts'

/** Maximum length of a table of contents, which the browser scans on every scroll. Headings. */
export const maxContents = 500

export const renderPageDocument = (
  frame: Frame,
  page: SourcePage,
  content: RenderedPage,
  navigation: Navigation,
): string => {
  const file = toHtmlFile(page.path)
  const { site } = frame
  const words = findPageWording(site, page.path)
  const labels = { ...words.frame, ...dropMissing(findLocalBrand(site.brand, page.path).words) }
  const trail = site.brand.trail === 'section' ? navigation.trail.slice(-1) : navigation.trail
  return renderHtmlDocument({
    frame,
    file,
    language: findLanguage(frame.site, page.path),
    title:
      content.title === site.name
        ? content.title
        : (site.brand.titleTemplate ?? `:title · ${site.name}`).replaceAll(':title', () => content.title),
    head: renderPageHead(frame, page, content),
    assets: markup`${renderLinkedAssets(frame, file)}${hasUtilities(content.html) && markup`<link rel="stylesheet" href="${toRelativeHref(file, '_docket/utilities.css')}">\n`}`,
    body: [
      renderPageTop(frame, file, {
        home: toRelativeHref(file, toHtmlFile(site.start ?? page.path)),
        navigation,
        words,
      }),
      markup`<div class="columns${page.mode && ` mode-${page.mode}`}">
<nav class="sidebar" id="docket-pages" aria-label="${labels.pages}">${renderBarInMenu(frame, file, navigation)}${navigation.anchors}${navigation.sidebar}</nav>
<main id="docket-content" tabindex="-1">
${renderPageActions(frame, file, { page, content, labels })}
<article>
${trail.length > 0 && markup`<p class="trail">${trail.join(' / ')}</p>`}
<h1${content.titleId && markup` id="${content.titleId}"`}>${content.title}</h1>
${site.brand.showsDescriptions && renderLead(frame, file, page)}
${page.operation && markup`<p class="operation"><code>${page.operation}</code></p>`}
${page.missing !== undefined && renderMissingPart(page.missing, words)}
${trustHtml(content.html)}
</article>
${renderEditLink(frame, page, labels)}
${renderNeighbours(labels, navigation)}
${renderSiteFoot(frame, file)}
</main>
${renderContents(labels, content)}
</div>`,
    ],
  })
}

const renderLead = ({ look }: Frame, file: string, { path, description }: SourcePage) => {
  const marked = look.leads.get(path)
  const text = marked === undefined ? description : showInlineText(marked, file, look.link)
  return text !== null && markup`<p class="lead">${text}</p>`
}

type Labels = Words['frame']

const dropMissing = (labels: Brand['words']): Partial<Labels> =>
  Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== null))

const renderMissingPart = ({ part, name }: NonNullable<SourcePage['missing']>, words: Words) =>
  markup`<div class="callout warning not-here" role="note"><p class="callout-title">${words.content.notHere}</p><p>${fillWording(
    words,
    words.content[`missing ${part}`],
    { name },
  )
    .split('`')
    .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part))}</p></div>`

const renderContents = ({ contents: title }: Labels, { headings }: RenderedPage) => {
  const items = headings
    .slice(0, maxContents)
    .map(
      ({ id, text, level }) =>
        markup`<li class="level-${level}"><a href="#${encodePart(id)}">${toLine(text) ?? ''}</a></li>`,
    )
  return items.length > 1 && markup`<nav class="contents" aria-label="${title}"><p>${title}</p><ul>${items}</ul></nav>`
}

const renderNeighbours = (labels: Labels, { previous, next }: Navigation) =>
  (previous || next) &&
  markup`<nav class="neighbours" aria-label="${labels.neighbours}">${previous && markup`<div><span>${labels.previous}</span>${previous}</div>`}${next && markup`<div class="next"><span>${labels.next}</span>${next}</div>`}</nav>`

/** Commands next to the title: copy the page, read it as Markdown, follow its updates. The script reveals the first command. */
const renderPageActions = (
  frame: Frame,
  file: string,
  { page, content, labels }: { page: SourcePage; content: RenderedPage; labels: Labels },
): Markup => {
  const to = (name: string) => toRelativeHref(file, name)
  return markup`<p class="page-actions">${
    frame.site.brand.copiesPages && markup`<button type="button" data-copy-page hidden>${labels.copyPage}</button>`
  }<a href="${to(toMarkdownFile(page.path))}">Markdown</a>${
    hasFeed(frame, page, content) && markup`<a href="${to(toFeedFile(page.path))}">${labels.feed}</a>`
  }</p>`
}

const renderEditLink = ({ site }: Frame, { file }: SourcePage, labels: Labels): Markup | null => {
  const { editLink } = site.brand
  const isSource = editLink !== null && /\.mdx?$/i.test(file) && file.startsWith(site.root)
  if (!isSource) return null
  const path = encodePath(file.slice(site.root.length))
  const href = editLink.pattern.replaceAll(':path', () => path)
  return URL.canParse(href)
    ? markup`<p class="edit"><a href="${href}" rel="noopener noreferrer">${editLink.text ?? labels.edit}</a></p>`
    : null
}

/** Maximum length of a description; search engines cut longer ones. Characters. */
const maxDescription = 155

const propertyName = /^(og|article|book|profile|fb|music|video):/

/** Metadata for search engines and link previews. Values of the page take precedence over those of the site. */
const renderPageHead = (frame: Frame, page: SourcePage, content: RenderedPage): Markup => {
  const { base, site } = frame
  const file = toHtmlFile(page.path)
  const description = page.description ?? shortenSections(content.sections)
  const address = base === null ? null : `${base}/${encodePath(toPublicPath(page.path))}`
  const metas = new Map<string, string>([
    ['og:type', page.path === 'index' ? 'website' : 'article'],
    ['og:title', content.title],
    ['og:site_name', site.name],
    ...(description ? [['og:description', description] as const] : []),
    ...(address ? [['og:url', address] as const] : []),
    ...site.brand.metatags,
    ...page.brand.metatags,
    ...(page.hidden === null ? [] : [['robots', 'noindex'] as const]),
  ])
  const tags = [...metas].flatMap(([name, value]) => {
    const text = isPicture(name) ? (frame.look.pictures.get(value) ?? null) : value
    if (text === null) return []
    return [
      propertyName.test(name)
        ? markup`<meta property="${name}" content="${text}">\n`
        : markup`<meta name="${name}" content="${text}">\n`,
    ]
  })
  return markup`${description && markup`<meta name="description" content="${description}">\n`}${address && markup`<link rel="canonical" href="${address}">\n`}<link rel="alternate" type="text/markdown" href="${toRelativeHref(file, toMarkdownFile(page.path))}">
${hasFeed(frame, page, content) && markup`<link rel="alternate" type="application/rss+xml" title="${content.title}" href="${toRelativeHref(file, toFeedFile(page.path))}">\n`}${tags}`
}

const shortenSections = (sections: RenderedPage['sections']) => {
  const line = sections
    .slice(0, 10)
    .map(({ text }) => text.slice(0, 4 * maxDescription))
    .join(' ')
    .trim()
  if (line.length <= maxDescription) return line
  const cut = line.slice(0, maxDescription - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxDescription / 2))}…`
}

const renderSiteFoot = ({ site, look }: Frame, file: string): Markup | null => {
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
  const marks = renderSocialLinks(socials, file, look.link)
  const texts = look.texts.map((text) => markup`<p>${showInlineText(text, file, look.link)}</p>`)
  if (lists.length === 0 && !marks && texts.length === 0) return null
  return markup`<footer class="site-foot">${lists.length > 0 && markup`<div class="foot-columns">${lists}</div>`}${marks}${texts}</footer>`
}
