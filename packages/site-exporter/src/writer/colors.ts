import type { Pair } from '#site/brand.ts'

type Rgb = readonly [number, number, number]

const surfaces = { light: '#ffffff', dark: '#111318' } as const
/** Softest text and the softest colour of code on pages of each kind. */
const softest = { light: ['#565e6c', '#616a78'], dark: ['#a3abb9', '#939cab'] } as const
const text = { light: '#1b1f27', dark: '#e6e8ec' } as const

/** Colours of the owner that keep a contrast of at least 4.5, and the backgrounds that do not. */
export type ReadableColors = { styles: string; refused: ('light' | 'dark')[] }

/** Styles for accent and background colours. Accents are shaded until links are readable. */
export const colorStyles = (accent: Pair, background: Pair): ReadableColors => {
  const refused: ReadableColors['refused'] = []
  const rules = (kind: 'light' | 'dark') => {
    const wanted = background[kind]
    const isReadable = wanted !== null && keepsContrast(wanted, kind)
    if (wanted !== null && !isReadable) refused.push(kind)
    const surface = isReadable ? wanted : surfaces[kind]
    const color = accent[kind]
    const own = isReadable && surface !== surfaces[kind]
    return [
      own && `--surface:${surface}`,
      own && `--raised:${raise(surface, kind)}`,
      own && `--line:color-mix(in srgb,var(--text) 13%,${surface})`,
      color !== null && `--accent:${readable(parseRgb(color), parseRgb(surface))}`,
    ]
      .filter(Boolean)
      .join(';')
  }
  const [light, dark] = [rules('light'), rules('dark')]
  const styles = [
    light && `:root{${light}}`,
    dark &&
      `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}@media screen{:root[data-theme=dark]{${dark}}}`,
  ]
  return { styles: styles.filter(Boolean).join('\n'), refused }
}

/** Surface near a colour, a text colour that reads on it, and a shade that moves it away from the text. */
export const inkOn = (color: string): { surface: string; ink: string; shade: string } =>
  luminance(parseRgb(color)) > 0.44
    ? { surface: color, ink: '#16181d', shade: '#ffffff' }
    : { surface: readable(parseRgb(color), [255, 255, 255]), ink: '#ffffff', shade: '#000000' }

const raise = (surface: string, kind: 'light' | 'dark') => toHex(mix(parseRgb(surface), parseRgb(text[kind]), 0.04))

const keepsContrast = (surface: string, kind: 'light' | 'dark') => {
  const raised = parseRgb(raise(surface, kind))
  return softest[kind].every((color) => contrast(parseRgb(color), raised) >= 4.5)
}

const readable = (color: Rgb, surface: Rgb) => {
  const goal: Rgb = luminance(surface) > 0.5 ? [0, 0, 0] : [255, 255, 255]
  let shade = color
  // Some link surfaces are tinted, hence more than 4.5.
  for (let step = 0; step < 60 && contrast(shade, surface) < 5.2; step++) shade = mix(shade, goal, 0.06)
  return toHex(shade)
}

const mix = (from: Rgb, to: Rgb, part: number) =>
  [0, 1, 2].map((i) => Math.round(from[i]! + (to[i]! - from[i]!) * part)) as unknown as Rgb

const toHex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

const parseRgb = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

const luminance = (color: Rgb) => {
  const [r, g, b] = color.map((part) =>
    part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

const contrast = (a: Rgb, b: Rgb) => {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}
