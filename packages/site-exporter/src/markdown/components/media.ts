import type { Element } from 'hast'
import { toString } from 'hast-util-to-string'
import { h, s } from 'hastscript'
import { markIcon } from '#markdown/icons/icon-marks.ts'
import { renderParagraph, renderTitled, readPlainText, type Component, type Components } from './component.ts'

const renderFrame: Component = (children, _, { inline }) => {
  const [caption, hint] = [inline('caption', 'title'), inline('hint')]
  return [
    ...renderParagraph('frame-hint', hint),
    h('figure', { className: ['frame'] }, [...children, ...(caption.length > 0 ? [h('figcaption', caption)] : [])]),
  ]
}

const renderImage: Component = (children, text) => {
  const src = text('src') ?? text('img')
  if (src === null) return children
  const size = (name: string) => (/^\d{1,5}$/.test(text(name) ?? '') ? text(name) : null)
  const attributes = { alt: text('alt') ?? text('title') ?? '', width: size('width'), height: size('height') }
  return [h('img', { src, ...attributes }), ...children]
}

const renderCode: Component = (children, text, { inline, isOff }) => {
  const isText = children.every((child) => child.type === 'text' || (child.type === 'element' && isPlain(child)))
  const source = text('code') ?? (isText ? children.map((child) => toString(child)).join('') : '')
  if (source.trim() === '')
    return children.length > 0 ? children : h('p', { className: ['not-here'] }, 'This code is not in this copy.')
  const language = (text('lang') ?? text('language') ?? '').replace(/[^\w+#.-]/g, '')
  const title = (readPlainText(inline('title', 'filename')) ?? '').replaceAll('"', '')
  const lines = (name: string) => (text(name) ?? '').replace(/[^\d,-]/g, '')
  const [marked, focused] = [lines('highlight'), lines('focus')]
  const meta = [
    title && `title="${title}"`,
    marked && `{${marked}}`,
    focused && `focus={${focused}}`,
    ...['wrap', 'lines', 'expandable'].filter((look) => text(look) !== null && !isOff(look)),
  ]
    .filter(Boolean)
    .join(' ')
  if (text('code') === null && language === '' && title === '' && !source.includes('\n')) return h('code', source)
  return [
    h('pre', h('code', { className: language ? [`language-${language}`] : null, dataMeta: meta || null }, source)),
    ...(text('code') === null ? [] : children),
  ]
}

const isPlain = ({ tagName, children }: Element) =>
  /^(p|code|pre|span)$/.test(tagName) && children.every((child) => child.type === 'text')

export const mediaFamily: Components = {
  frame: renderFrame,
  image: renderImage,
  img: renderImage,
  code: renderCode,
  codeblock: renderCode,
  icon: (children, text) => {
    const mark = markIcon((name) => (name === 'icon' ? (text('icon') ?? text('name')) : text(name)))
    return mark ? [mark, ...children] : children
  },
  color: (children) => h('div', { className: ['colors'] }, children),
  'color.row': (children, _, { inline }) => renderTitled('part', children, inline('title'), null),
  'color.item': (children, text) => {
    const value = text('value') ?? ''
    const swatches = [...value.matchAll(/#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b/gi)].slice(0, 2)
    return h('p', [
      ...swatches.map(([color]) => renderSwatch(color)),
      ` ${text('name') ?? ''} `.trimStart(),
      h('code', value),
      ...children,
    ])
  },
}

/** Sample of a colour, as a drawing, because pages have no inline styles. */
const renderSwatch = (color: string) =>
  s('svg', { className: ['swatch'], viewBox: '0 0 16 16', width: 16, height: 16, ariaHidden: 'true' }, [
    s('rect', { width: 16, height: 16, rx: 4, fill: color }),
  ])
