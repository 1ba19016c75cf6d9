import type { Element } from 'hast'
import type { Note } from '#markdown/page-notes.ts'

/** Spacing steps. One step is a quarter of the text size. */
const steps = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24]
const screens: Readonly<Record<string, string>> = { sm: '40rem', md: '48rem', lg: '64rem' }
const widths = [24, 32, 40, 48, 56, 64, 72, 80, 96]
const texts: readonly [string, string, string][] = [
  ['xs', '0.75rem', '1.4'],
  ['sm', '0.875rem', '1.5'],
  ['base', '1rem', '1.65'],
  ['lg', '1.125rem', '1.6'],
  ['xl', '1.25rem', '1.5'],
  ['2xl', '1.5rem', '1.35'],
  ['3xl', '1.875rem', '1.25'],
  ['4xl', 'min(2.25rem, 9vw)', '1.15'],
  ['5xl', 'min(3rem, 10vw)', '1.1'],
  ['6xl', 'min(3.75rem, 11vw)', '1.05'],
]
const containers =
  'xs 20rem,sm 24rem,md 28rem,lg 32rem,xl 36rem,2xl 42rem,3xl 48rem,4xl 56rem,5xl 64rem,6xl 72rem,7xl 80rem,full 100%,none none'
    .split(',')
    .map((entry) => entry.split(' '))
const aligned = { start: 'flex-start', end: 'flex-end', center: 'center', baseline: 'baseline', stretch: 'stretch' }
const spread = { between: 'space-between', around: 'space-around', evenly: 'space-evenly' }

const createRules = <T>(values: readonly T[], rule: (value: T) => [string, string][]) => values.flatMap(rule)
const toRem = (step: number) => (step === 0 ? '0' : `${step / 4}rem`)

const sides: Readonly<Record<string, string>> = {
  '': '',
  x: '-inline',
  y: '-block',
  t: '-top',
  b: '-bottom',
  l: '-left',
  r: '-right',
}

const display: readonly [string, string][] = [
  ['block', 'display:block'],
  ['inline-block', 'display:inline-block'],
  ['inline', 'display:inline'],
  ['flex', 'display:flex'],
  ['inline-flex', 'display:inline-flex'],
  ['grid', 'display:grid'],
  ['hidden', 'display:none'],
]

/** Declarations by class name. None of them positions content, overlaps other content, hides it for good or loads a file. */
const rules: ReadonlyMap<string, string> = new Map<string, string>([
  ...display,
  ['flex-row', 'flex-direction:row'],
  ['flex-row-reverse', 'flex-direction:row-reverse'],
  ['flex-col', 'flex-direction:column'],
  ['flex-col-reverse', 'flex-direction:column-reverse'],
  ['flex-wrap', 'flex-wrap:wrap'],
  ['flex-nowrap', 'flex-wrap:nowrap'],
  ['flex-1', 'flex:1 1 0%;min-width:0'],
  ['flex-auto', 'flex:1 1 auto'],
  ['flex-none', 'flex:none'],
  ['grow', 'flex-grow:1'],
  ['flex-grow', 'flex-grow:1'],
  ['shrink-0', 'flex-shrink:0'],
  ['flex-shrink-0', 'flex-shrink:0'],
  ...createRules(Object.entries(aligned), ([name, value]) => [
    [`items-${name}`, `align-items:${value}`],
    [`self-${name}`, `align-self:${value}`],
    [`content-${name}`, `align-content:${value}`],
    [`justify-items-${name}`, `justify-items:${value}`],
  ]),
  ...createRules(Object.entries({ ...aligned, ...spread }), ([name, value]) => [
    [`justify-${name}`, `justify-content:${value}`],
  ]),
  ...createRules([1, 2, 3, 4, 5, 6, 8, 12], (count) => [
    [`grid-cols-${count}`, `grid-template-columns:repeat(${count},minmax(0,1fr))`],
    [`col-span-${count}`, `grid-column:span ${count}/span ${count}`],
  ]),
  ['col-span-full', 'grid-column:1/-1'],
  ...createRules(steps, (step) => [
    [`gap-${step}`, `gap:${toRem(step)}`],
    [`gap-x-${step}`, `column-gap:${toRem(step)}`],
    [`gap-y-${step}`, `row-gap:${toRem(step)}`],
    ...createRules(Object.entries(sides), ([side, name]): [string, string][] => [
      [`p${side}-${step}`, `padding${name}:${toRem(step)}`],
      [`m${side}-${step}`, `margin${name}:${toRem(step)}`],
    ]),
  ]),
  ['mx-auto', 'margin-inline:auto'],
  ['ml-auto', 'margin-left:auto'],
  ['mr-auto', 'margin-right:auto'],
  ['w-full', 'width:100%'],
  ['w-auto', 'width:auto'],
  ['w-fit', 'width:fit-content'],
  ...createRules(
    Object.entries({ '1/2': 50, '1/3': 33.3333, '2/3': 66.6667, '1/4': 25, '3/4': 75 }),
    ([name, part]) => [[`w-${name}`, `width:${part}%`]],
  ),
  ['h-auto', 'height:auto'],
  ['h-full', 'height:100%'],
  ...createRules([...steps.slice(1), ...widths], (step) => [
    [`w-${step}`, `width:${toRem(step)}`],
    [`h-${step}`, `height:${toRem(step)}`],
  ]),
  ...createRules(containers, ([name, value]) => [[`max-w-${name}`, `max-width:${value}`]]),
  ...createRules(texts, ([name, size, height]) => [[`text-${name}`, `font-size:${size};line-height:${height}`]]),
  ...createRules(['left', 'center', 'right'], (side) => [[`text-${side}`, `text-align:${side}`]]),
  ...createRules(Object.entries({ normal: 400, medium: 550, semibold: 600, bold: 700 }), ([name, weight]) => [
    [`font-${name}`, `font-weight:${weight}`],
  ]),
  ['font-mono', 'font-family:var(--mono)'],
  ['italic', 'font-style:italic'],
  ['uppercase', 'text-transform:uppercase'],
  ['no-underline', 'text-decoration:none'],
  ['rounded', 'border-radius:4px'],
  ...createRules(Object.entries({ md: 6, lg: 8, xl: 12, '2xl': 16, '3xl': 24, full: 9999 }), ([name, pixels]) => [
    [`rounded-${name}`, `border-radius:${pixels}px`],
  ]),
  ['border', 'border:1px solid var(--line)'],
  ['overflow-hidden', 'overflow:hidden'],
  ['overflow-x-auto', 'overflow-x:auto'],
  ['aspect-video', 'aspect-ratio:16/9'],
  ['aspect-square', 'aspect-ratio:1'],
  ['object-cover', 'object-fit:cover'],
  ['object-contain', 'object-fit:contain'],
  ['list-none', 'list-style:none'],
  ['not-prose', ''],
])

const displays = new Set(display.map(([name]) => name))

/** Class name in the style sheet, chosen to need no escaping. */
const toClass = (name: string) => `u-${name.replaceAll(/[:/]/g, '-')}`

export const readClasses = (node: Element): string[] => {
  const { className, class: raw } = node.properties
  return [className, raw].flatMap((value) =>
    (Array.isArray(value) ? value : [value ?? '']).join(' ').split(/\s+/).filter(Boolean),
  )
}

/** Class names of the style sheet for the listed utilities of an element. `display` classes are dropped if the element has a theme. */
export const toUtilityClasses = (names: readonly string[], hasTheme: boolean): string => {
  const listed = names.filter((name) => isListed(name) && !(hasTheme && displays.has(name.replace(/^\w+:/, ''))))
  // Content that is hidden at every screen width would be lost.
  const isShown = listed.some(
    (name) => /^(sm|md|lg):/.test(name) && displays.has(name.slice(3)) && !name.endsWith(':hidden'),
  )
  const kept = listed.filter((name) => rules.get(name) !== '' && (name !== 'hidden' || isShown))
  return [...new Set(kept)].map(toClass).join(' ')
}

const isListed = (name: string) => {
  const [, screen, rest = ''] = /^(?:(sm|md|lg):)?(.*)$/.exec(name) ?? []
  return rules.has(rest) && (screen === undefined || rest !== 'not-prose')
}

export const noteClasses = (names: ReadonlySet<string>, note: Note): void => {
  const others = [...names].filter((name) => !isListed(name) && !ownNames.test(name))
  if (others.length === 0) return
  const some = others.slice(0, 5).map((name) => name.slice(0, 40))
  note('left-out', `the look of class names: ${some.join(', ')}${others.length > 5 ? ', …' : ''}`)
}

const ownNames =
  /^(language-.*|contains-task-list|task-list-item|sr-only|data-footnote.*|footnotes|(light|dark)-only|dark:(hidden|block|inline|inline-block|flex)|hash-link|anchor.*)$/

export const formatUtilityStyles = (): string => {
  const lines = (screen = '') =>
    [...rules]
      .filter(([, declarations]) => declarations !== '')
      .map(([name, declarations]) => `article .${toClass(screen + name)}{${declarations}}`)
      .join('\n')
  const wide = Object.entries(screens).map(([name, width]) => `@media (min-width:${width}){\n${lines(`${name}:`)}\n}`)
  return `${[lines(), ...wide].join('\n')}\n`
}

export const hasUtilities = (html: string): boolean => /class="(?:[^"]* )?u-/.test(html)
