import { readFile } from 'node:fs/promises'
import { readIconClass } from '#markdown/icons/find-icon.ts'
import { drawGlyph, iconSets } from '#markdown/icons/icon-sets.ts'
import type { ExtraFile } from './extra-file.ts'

const uses = /<span class="icon ([\w -]+)"/g

/** Classes of the icons on a page. */
export const listIconClasses = (html: string): string[] =>
  [...html.matchAll(uses)].flatMap(([, names = '']) => names.split(' '))

/**
 * Style sheet with the glyphs in use. They are masks, so that they have the colour of the text, and data, because pages opened from a
 * disk cannot load masks from files.
 */
export const iconFiles = async (sheet: string, classes: ReadonlySet<string>): Promise<ExtraFile[]> => {
  const licences = new Set<string>()
  const rules = [...classes].toSorted().flatMap((name) => {
    const glyph = readIconClass(name)
    if (glyph) licences.add(iconSets[glyph.set])
    const value = glyph ? `--icon:url("${toDataUrl(drawGlyph(glyph.set, glyph.name))}")` : readRule(name)
    return value === null ? [] : [`.icon.${name}{${value}}`]
  })
  const styles = await readFile(new URL('../assets/icons.css', import.meta.url), 'utf8')
  const credits = [...licences].toSorted().map((words) => `   ${words}\n`)
  return [{ file: sheet, content: `/*! Icons:\n${credits.join('')}*/\n${styles}${rules.join('\n')}\n` }]
}

const readRule = (name: string): string | null => {
  const size = /^is-(\d{1,3})$/.exec(name)?.[1]
  if (size !== undefined) return `font-size:${Math.max(8, Number(size))}px`
  const [, hex, word] = /^ik-(?:x([\da-f]{3,6})|([a-z]{3,20}))$/.exec(name) ?? []
  return hex !== undefined ? `color:#${hex}` : word !== undefined ? `color:${word}` : null
}

const toDataUrl = (svg: string) =>
  `data:image/svg+xml,${svg.replaceAll('"', "'").replace(/[%#<>]/g, (character) => encodeURIComponent(character))}`
