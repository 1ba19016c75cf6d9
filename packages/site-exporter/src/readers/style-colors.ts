import type { SourceFolder } from '@docket/sources/source-folder'
import { parseColor, type Pair } from '#site/brand.ts'
import { readText } from '#readers/read-text.ts'

const maxLength = 256 * 1024
const maxFiles = 20
/** Maximum chain of properties that refer to one another. */
const maxSteps = 5

/** Reads a colour from style sheets, those in `theme` first. Rules without a theme apply to `usual` pages. */
export const readStyleColor = async (
  folder: SourceFolder,
  files: readonly string[],
  property: string,
  { usual, theme }: { usual: 'light' | 'dark'; theme: string } = { usual: 'light', theme: '' },
): Promise<Pair> => {
  const values = { light: new Map<string, string>(), dark: new Map<string, string>() }
  const texts = [theme]
  for (const file of files.slice(0, maxFiles)) texts.push((await readText(folder, file)).slice(0, maxLength))
  for (const source of texts) {
    const text = source.replace(/\/\*[\s\S]*?\*\//g, '')
    for (const [, selector = '', declarations = ''] of text.matchAll(/([^{}]{1,1000})\{([^{}]{1,20000})\}/g)) {
      const kind = findKind(selector, usual)
      if (kind === null) continue
      for (const [, name = '', value = ''] of declarations.matchAll(/(--[\w-]{1,100})[ \t]*:([^;]{1,200})/g))
        values[kind].set(name, value.replace(/!important/, '').trim())
    }
  }
  const find = (kind: 'light' | 'dark') => findColor(new Map([...values[usual], ...values[kind]]), property, 0)
  return { light: find('light'), dark: find('dark') }
}

/** Kind of page to which a rule applies. Null for rules about parts of a page, which are not about the brand. */
const findKind = (selector: string, usual: 'light' | 'dark'): 'light' | 'dark' | null => {
  const names = selector.split(',').map((name) => name.trim())
  const root = names.find((name) => /^(:root|html|body)?(\[data-[\w-]+=["']?[\w-]+["']?\]|\.dark|:root)?$/.test(name))
  if (root === undefined || root === '') return null
  if (/dark|slate/.test(root)) return 'dark'
  return /light/.test(root) ? 'light' : usual
}

const findColor = (values: ReadonlyMap<string, string>, name: string, step: number): string | null => {
  const value = values.get(name)
  if (value === undefined) return null
  const other = /^var\([ \t]*(--[\w-]+)[ \t]*[,)]/.exec(value)?.[1]
  return other !== undefined && step < maxSteps ? findColor(values, other, step + 1) : toHex(value.toLowerCase())
}

/** Colour as `#rrggbb`: hex, `rgb()` and `hsl()` without transparency. */
const toHex = (value: string): string | null => {
  const [, kind, inside = ''] = /^(rgb|hsl)a?\(([^()]{1,100})\)$/.exec(value) ?? []
  if (kind === undefined) return parseColor(value.replace(/^(#[\da-f]{6})ff$/, '$1'))
  const [first = 0, second = 0, third = 0, alpha] = inside.split(/[\s,/]+/).map((part) => Number.parseFloat(part))
  if (![first, second, third].every(Number.isFinite) || (alpha !== undefined && alpha !== 1)) return null
  const channels = kind === 'rgb' ? [first, second, third] : toChannels(first, second / 100, third / 100)
  const bytes = channels.map((channel) => Math.max(0, Math.min(255, Math.round(channel))))
  return `#${Buffer.from(bytes).toString('hex')}`
}

const toChannels = (hue: number, saturation: number, lightness: number) => {
  const amount = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const step = (((offset + hue / 30) % 12) + 12) % 12
    return 255 * (lightness - amount * Math.max(-1, Math.min(step - 3, 9 - step, 1)))
  })
}
