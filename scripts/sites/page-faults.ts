import { createHash } from 'node:crypto'
import type { Fault } from './faults.ts'
import type { FlatElement } from './html-references.ts'

/** Faults of a page by itself: frame, headings, ids, and violations of its own policy. */
export const pageFaults = (page: string, elements: readonly FlatElement[]): Fault[] => {
  const isForwarding = elements.some(({ attributes }) => /^refresh$/i.test(attributes.get('http-equiv') ?? ''))
  return [
    ...frameFaults(page, elements, isForwarding),
    ...inlineFaults(page, elements),
    ...(isForwarding ? [] : headingFaults(page, elements)),
    ...idFaults(page, elements),
    ...misplaced(page, elements),
  ]
}

const readPolicy = (elements: readonly FlatElement[]) =>
  elements
    .find(({ attributes }) => /^content-security-policy$/i.test(attributes.get('http-equiv') ?? ''))
    ?.attributes.get('content')

const frameFaults = (page: string, elements: readonly FlatElement[], isForwarding: boolean): Fault[] => {
  const has = (tag: string, test: (element: FlatElement) => boolean) =>
    elements.some((element) => element.tag === tag && test(element))
  const isStyled = has('link', ({ attributes }) => attributes.get('rel') === 'stylesheet') || has('style', () => true)
  const missing = [
    !has('html', ({ attributes }) => Boolean(attributes.get('lang'))) && 'no language',
    !has('title', ({ text }) => text.trim() !== '') && 'no title',
    readPolicy(elements) === undefined && !isForwarding && 'no policy of its own',
    !has('meta', ({ attributes }) => attributes.get('name') === 'viewport') && !isForwarding && 'no viewport',
    !isStyled && !isForwarding && 'no style sheet',
    !has('script', () => true) && !isForwarding && 'no script',
  ]
  return missing.filter((what) => what !== false).map((what) => ({ page, kind: 'frame', what }))
}

const inlineFaults = (page: string, elements: readonly FlatElement[]): Fault[] => {
  const policy = readPolicy(elements) ?? ''
  const isAllowed = (text: string) => policy.includes(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return elements.flatMap(({ tag, attributes, text }) => {
    const isStyled = /style-src[^;]*'unsafe-inline'/.test(policy)
    const names = [...attributes.keys()].filter((name) => (name === 'style' && !isStyled) || name.startsWith('on'))
    const isInline = tag === 'style' || (tag === 'script' && !attributes.has('src'))
    return [...names, ...(isInline && !isAllowed(text) ? [`<${tag}>`] : [])].map((name): Fault => ({
      page,
      kind: 'inline',
      what: `${name} on <${tag}>`,
    }))
  })
}

const headingFaults = (page: string, elements: readonly FlatElement[]): Fault[] => {
  const headings = elements.filter(({ tag }) => /^h[1-6]$/.test(tag))
  const main = headings.filter(({ tag }) => tag === 'h1')
  if (main.length !== 1) return [{ page, kind: 'heading', what: `${main.length} main headings` }]
  const [first] = main
  const next = elements.findIndex(({ tag }, index) => tag === 'h2' && index > elements.indexOf(first!))
  const between = elements.slice(elements.indexOf(first!) + 1, next)
  // A section may have the name of its page, when something else comes before it.
  const isNext = next > 0 && between.every(({ tag, attributes }) => tag !== 'p' || attributes.has('class'))
  const same = (text: string) =>
    text
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase()
  const text = isNext ? same(elements[next]!.text) : ''
  return text !== '' && text === same(first!.text) ? [{ page, kind: 'heading', what: `“${text}” is said twice` }] : []
}

const idFaults = (page: string, elements: readonly FlatElement[]): Fault[] => {
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((what) => ({ page, kind: 'id', what }))
}

/** Elements that mean something only inside others, in another place. */
const misplaced = (page: string, elements: readonly FlatElement[]): Fault[] =>
  elements.flatMap(({ tag, parent }): Fault[] =>
    (tag === 'li' && !/^(ul|ol|menu)$/.test(parent)) || (/^(ul|ol)$/.test(parent) && tag !== 'li' && tag !== 'script')
      ? [{ page, kind: 'structure', what: `<${tag}> in <${parent}>` }]
      : [],
  )
