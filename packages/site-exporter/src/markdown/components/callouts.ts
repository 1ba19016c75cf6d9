import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { mapNames } from '#site/data.ts'
import type { Words } from '#site/words.ts'
import { findTone, renderParagraph, type Component, type Components, readPlainText } from './component.ts'

const renderCallout = (kind: string, title: ElementContent[], children: ElementContent[]) =>
  h('div', { className: ['callout', kind], role: 'note' }, [...renderParagraph('callout-title', title), ...children])

type Kind = keyof Words['callouts']

const callout =
  (tone: string, kind: Kind): Component =>
  (children, text, { inline, words }) => {
    const title = inline('title')
    return renderCallout(
      findTone(text('color')) ?? tone,
      title.length > 0 ? title : [{ type: 'text', value: nameKind(words, text('kind') ?? kind) }],
      children,
    )
  }

const tones = mapNames({
  note: 'note important secondary',
  info: 'info',
  tip: 'tip success check',
  warning: 'warning caution',
  danger: 'danger error',
})

const renderAside: Component = (children, text, props) => {
  const type = (text('type') ?? text('variant') ?? text('kind') ?? 'note').toLowerCase()
  const kind = tones.has(type) && type !== 'secondary' ? (type as Kind) : 'note'
  return callout(tones.get(type) ?? 'note', kind)(children, text, props)
}

const renderPrompt: Component = (children, _, { inline, words }) => {
  const title = inline('title', 'description')
  const name = { type: 'text', value: title.length > 0 ? `${words.callouts.prompt}: ` : words.callouts.prompt } as const
  return h('div', { className: ['callout', 'note', 'prompt'], role: 'note' }, [
    h('p', { className: ['callout-title'] }, [name, ...title]),
    h('div', { className: ['prompt-text'] }, children),
  ])
}

export const callouts: Components = {
  note: callout('note', 'note'),
  info: callout('info', 'info'),
  tip: callout('tip', 'tip'),
  check: callout('tip', 'check'),
  success: callout('tip', 'success'),
  caution: callout('warning', 'caution'),
  warning: callout('warning', 'warning'),
  danger: callout('danger', 'danger'),
  callout: (children, text, props) =>
    text('type') === null && text('variant') === null
      ? renderCallout(findTone(text('color')) ?? 'note', props.inline('title'), children)
      : renderAside(children, text, props),
  aside: renderAside,
  admonition: renderAside,
  alert: renderAside,
  banner: (children, text, { inline }) => {
    const tone = findTone(text('color') ?? text('type')) ?? 'note'
    return renderCallout(tone, inline('title'), [...inline('content', 'text'), ...children])
  },
  prompt: renderPrompt,
}

/** Word for a kind of callout; an unknown kind is a word of its own. */
const nameKind = ({ callouts: words }: Words, kind: string) =>
  Object.hasOwn(words, kind.toLowerCase()) ? words[kind.toLowerCase() as Kind] : kind[0]!.toUpperCase() + kind.slice(1)

const renderAccordion: Component = (children, text, { inline, words }) => {
  const title = inline('title', 'summary', 'label')
  const description = inline('description')
  const anchor = readPlainText(title)
  const isOpen = text('defaultopen') !== null || text('open') !== null
  return h('details', { className: ['accordion'], dataAnchor: anchor, open: isOpen || null }, [
    h('summary', [
      ...(title.length > 0 ? title : [nameKind(words, text('kind') ?? 'details')]),
      ...(description.length > 0 ? [h('span', { className: ['summary-text'] }, description)] : []),
    ]),
    h('div', children),
  ])
}

/** A short note is a `title` attribute, a longer one a box. Both are focusable, because touch and keyboard users cannot hover. */
const renderTooltip: Component = (children, text, { inline }) => {
  const [headline, cta, href] = [inline('headline', 'title'), inline('cta'), text('href')]
  const tip = inline('tip', 'content', 'text', 'description')
  const isWord = headline.length === 0 && cta.length === 0 && href === null && tip.every(({ type }) => type === 'text')
  if (isWord) return h('abbr', { title: readPlainText(tip) ?? '', tabIndex: 0 }, children)
  const link = href ? [h('a', { href }, cta.length > 0 ? cta : href)] : cta
  return h('span', { className: ['tooltip'], tabIndex: 0 }, [
    h('span', { className: ['tooltip-word'] }, children),
    h('span', { className: ['tooltip-box'], role: 'note' }, [
      ...(headline.length > 0 ? [h('strong', headline), ' '] : []),
      ...tip,
      ...(link.length > 0 ? [' ', ...link] : []),
    ]),
  ])
}

export const disclosureFamily: Components = {
  accordion: renderAccordion,
  expandable: renderAccordion,
  details: renderAccordion,
  accordiongroup: (children) => h('div', { className: ['accordions'] }, children),
  tooltip: renderTooltip,
}
