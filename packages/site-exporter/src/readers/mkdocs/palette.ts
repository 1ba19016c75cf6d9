import type { Brand, Pair } from '#site/brand.ts'
import { asData, asList, asText, isData, type Data } from '#site/data.ts'

/** Colours of Material by name. */
const colors: Readonly<Record<string, string>> = {
  red: '#ef5552',
  pink: '#e92063',
  purple: '#ab47bd',
  'deep-purple': '#7e56c2',
  indigo: '#4051b5',
  blue: '#2094f3',
  'light-blue': '#02a6f2',
  cyan: '#00bdd6',
  teal: '#009485',
  green: '#4cae4f',
  'light-green': '#8bc34b',
  lime: '#cbdc38',
  yellow: '#ffec3d',
  amber: '#ffc105',
  orange: '#ffa724',
  'deep-orange': '#ff6e42',
  brown: '#795649',
  grey: '#757575',
  'blue-grey': '#546d78',
  black: '#000000',
  white: '#ffffff',
}

/** Colours and appearance of a Material site. */
export type Palette = { accent: Pair; bar: Pair; appearance: Brand['appearance'] }

/** Reads `theme.palette`. `own` are colours of the owner's style sheets, for the name `custom`. */
export const readPalette = (theme: Data, own: Pair): Palette => {
  const given = theme['palette']
  const entries = (Array.isArray(given) ? asList(given) : [given]).filter(isData).slice(0, 10)
  const schemes = entries.filter((entry) => entry['scheme'] !== undefined || entry['primary'] !== undefined)
  const isDark = (entry: Data) => entry['scheme'] === 'slate'
  const light = schemes.find((entry) => !isDark(entry))
  const dark = schemes.find(isDark)
  const find = (kind: 'light' | 'dark', entry: Data) => {
    const name = (asText(entry['primary']) ?? 'indigo').replaceAll(' ', '-')
    return own[kind] ?? (Object.hasOwn(colors, name) ? colors[name]! : null)
  }
  const bar = { light: find('light', light ?? dark ?? {}), dark: find('dark', dark ?? light ?? {}) }
  // Links would not differ from the text.
  const toAccent = (color: string | null) => (color === '#000000' || color === '#ffffff' ? colors['indigo']! : color)
  return {
    accent: { light: toAccent(bar.light), dark: toAccent(bar.dark) },
    bar,
    appearance: {
      first: entries.some((entry) => asText(entry['media']) !== null)
        ? 'system'
        : isDark(asData(schemes[0]))
          ? 'dark'
          : 'light',
      isFixed: !(light && dark),
    },
  }
}
