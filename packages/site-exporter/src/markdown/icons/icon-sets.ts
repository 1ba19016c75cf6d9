import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { asData, readOwn } from '#site/data.ts'

/** Bundled sets of glyphs, with the notices that their licences require. */
export const iconSets = {
  'fa7-solid': 'Font Awesome Free, CC BY 4.0: https://fontawesome.com',
  'fa7-regular': 'Font Awesome Free, CC BY 4.0: https://fontawesome.com',
  'fa7-brands': 'Font Awesome Free, CC BY 4.0: https://fontawesome.com',
  lucide: 'Lucide, ISC License: https://lucide.dev',
  tabler: 'Tabler Icons, MIT License: https://tabler.io/icons',
  octicon: 'Octicons, MIT License: https://primer.style/octicons',
  mdi: 'Material Design Icons, Apache License 2.0: https://pictogrammers.com',
  'simple-icons': 'Simple Icons, CC0: https://simpleicons.org',
} as const

export type IconSet = keyof typeof iconSets

type Glyphs = { icons: unknown; aliases: unknown; width: number; height: number }

const require = createRequire(import.meta.url)
const loaded = new Map<IconSet, Glyphs>()

const loadGlyphs = (set: IconSet): Glyphs => {
  const before = loaded.get(set)
  if (before) return before
  const file = require.resolve(`@iconify-json/${set}/icons.json`)
  const { icons, aliases, width, height } = asData(JSON.parse(readFileSync(file, 'utf8')))
  const glyphs = { icons, aliases, width: toNumber(width, 16), height: toNumber(height, 16) }
  loaded.set(set, glyphs)
  return glyphs
}

const toNumber = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

const maxAliases = 4

/** Name of a glyph after resolving aliases; null if the set lacks it. Rotated and mirrored aliases count as missing. */
export const findGlyph = (set: IconSet, name: string): string | null => {
  const { icons, aliases } = loadGlyphs(set)
  let current = name
  for (let step = 0; step <= maxAliases; step++) {
    if (readOwn(icons, current) !== undefined) return current
    const { parent, ...changes } = asData(readOwn(aliases, current))
    if (typeof parent !== 'string' || Object.keys(changes).some((key) => /^(rotate|hFlip|vFlip)$/.test(key)))
      return null
    current = parent
  }
  return null
}

export const drawGlyph = (set: IconSet, name: string): string => {
  const glyphs = loadGlyphs(set)
  const icon = asData(readOwn(glyphs.icons, name))
  const [width, height] = [toNumber(icon['width'], glyphs.width), toNumber(icon['height'], glyphs.height)]
  const box = `${toNumber(icon['left'], 0)} ${toNumber(icon['top'], 0)} ${width} ${height}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${typeof icon['body'] === 'string' ? icon['body'] : ''}</svg>`
}
