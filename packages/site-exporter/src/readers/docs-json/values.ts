import type { Pair } from '#site/brand.ts'
import { asText, isData } from '#site/data.ts'

/** Colour as `#rrggbb`, or null. */
export const parseColor = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = value.trim().toLowerCase()
  if (/^#[0-9a-f]{6}$/.test(text)) return text
  return /^#[0-9a-f]{3}$/.test(text) ? text.replace(/[0-9a-f]/g, '$&$&') : null
}

/** A text for both, or one for light and one for dark pages. */
export const readPair = (value: unknown): Pair =>
  isData(value)
    ? { light: asText(value['light']) ?? asText(value['dark']), dark: asText(value['dark']) ?? asText(value['light']) }
    : { light: asText(value), dark: asText(value) }
