import type { Pair } from '#site/brand.ts'

type Rgb = readonly [number, number, number]

const plain = {
  surface: { light: '#ffffff', dark: '#111318' },
  raised: { light: '#f6f7f9', dark: '#191c23' },
  accent: { light: '#2450b8', dark: '#94b4ff' },
} as const
/** Text and code colours with the least contrast, on light and on dark pages. */
const softest = { light: ['#565e6c', '#616a78'], dark: ['#a3abb9', '#939cab'] } as const
const text = { light: '#1b1f27', dark: '#e6e8ec' } as const

/** Styles with the owner's colours, which keep a contrast of at least 4.5, and the kinds of page whose background was refused. */
export type ReadableColors = { styles: string; refused: ('light' | 'dark')[] }

/** Styles for accent and background colours. Accents are shaded until links are readable. */
export const buildColorStyles = (accent: Pair, background: Pair): ReadableColors => {
  const refused: ReadableColors['refused'] = []
  const shades = (kind: 'light' | 'dark') => {
    const wanted = background[kind]
    const isReadable = wanted !== null && keepsContrast(wanted, kind)
    if (wanted !== null && !isReadable) refused.push(kind)
    const surface = isReadable ? wanted : null
    const color = accent[kind]
    const shade = color && makeReadable(parseRgb(color), parseRgb(surface ?? plain.surface[kind]))
    return { surface, raised: surface && raiseSurface(surface, kind), accent: shade }
  }
  const [light, dark] = [shades('light'), shades('dark')]
  const rules = (['surface', 'raised', 'accent'] as const).flatMap((name) => {
    const [onLight, onDark] = [light[name], dark[name]]
    return onLight === null && onDark === null
      ? []
      : [`--${name}:light-dark(${onLight ?? plain[name].light},${onDark ?? plain[name].dark})`]
  })
  if (light.surface !== null || dark.surface !== null)
    rules.push('--line:color-mix(in srgb,var(--text) 13%,var(--surface))')
  return { styles: rules.length > 0 ? `:root{${rules.join(';')}}` : '', refused }
}

/** Surface close to a colour, a text colour that is readable on it, and a shade that increases the contrast. */
export const findInkOn = (color: string): { surface: string; ink: string; shade: string } =>
  computeLuminance(parseRgb(color)) > 0.44
    ? { surface: color, ink: '#16181d', shade: '#ffffff' }
    : { surface: makeReadable(parseRgb(color), [255, 255, 255]), ink: '#ffffff', shade: '#000000' }

const raiseSurface = (surface: string, kind: 'light' | 'dark') =>
  toHex(mixColors(parseRgb(surface), parseRgb(text[kind]), 0.04))

const keepsContrast = (surface: string, kind: 'light' | 'dark') => {
  const raised = parseRgb(raiseSurface(surface, kind))
  return softest[kind].every((color) => computeContrast(parseRgb(color), raised) >= 4.5)
}

const makeReadable = (color: Rgb, surface: Rgb) => {
  const goal: Rgb = computeLuminance(surface) > 0.5 ? [0, 0, 0] : [255, 255, 255]
  let shade = color
  // More than 4.5, because the background of some links is tinted.
  for (let step = 0; step < 60 && computeContrast(shade, surface) < 5.2; step++) shade = mixColors(shade, goal, 0.06)
  return toHex(shade)
}

const mixColors = (from: Rgb, to: Rgb, part: number) =>
  [0, 1, 2].map((i) => Math.round(from[i]! + (to[i]! - from[i]!) * part)) as unknown as Rgb

const toHex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

const parseRgb = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

const computeLuminance = (color: Rgb) => {
  const [r, g, b] = color.map((part) =>
    part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

const computeContrast = (a: Rgb, b: Rgb) => {
  const [high, low] = [computeLuminance(a), computeLuminance(b)].toSorted((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}
