import type { Brand, BrandFont, Pair } from '#site/brand.ts'
import { encodePath } from '#writer/addresses.ts'
import { buildColorStyles, findInkOn } from '#writer/colors.ts'
import type { Media } from '#writer/media.ts'

const fontFile = /\.(woff2?|ttf|otf)$/i

type CopyFile = (address: string, name: string) => Promise<string | null>

export const buildBrandStyles = async (
  colors: { light: string | null; dark: string | null },
  brand: Brand,
  { media, leave }: { media: Media; leave: (what: string) => void },
): Promise<{ styles: string; hasFonts: boolean }> => {
  const copy: CopyFile = async (address, name) => {
    const copied = await media.take(address)
    if ('file' in copied) return copied.file
    leave(`the setting \`${name}\`: ${copied.problem}`)
    return null
  }
  const shades = buildColorStyles(colors, brand.background.color)
  for (const kind of shades.refused) leave(`the setting \`background.color.${kind}\`: text on it would be hard to read`)
  const heading = await buildFontStyles('heading', brand.fonts.heading, { copy, leave })
  const body = await buildFontStyles('body', brand.fonts.body, { copy, leave })
  const background = await buildBackgroundStyles(brand, copy)
  return {
    styles: [shades.styles, heading, body, background, buildBarStyles(brand.barColor)].filter(Boolean).join('\n'),
    hasFonts: /@font-face/.test(heading + body),
  }
}

const buildFontStyles = async (
  place: 'heading' | 'body',
  font: BrandFont | null,
  { copy, leave }: { copy: CopyFile; leave: (what: string) => void },
) => {
  if (!font) return ''
  const file = font.source === null ? null : await copy(font.source, `fonts.${place}.source`)
  if (font.source === null) leave(`the setting \`fonts.${place}\`: ${font.family} has no file in the source`)
  if (file !== null && !fontFile.test(file)) {
    leave(`the setting \`fonts.${place}.source\`: browsers do not read this kind of font`)
    return ''
  }
  const family = `Site ${place}`
  const isVariable = file !== null && /variable|wght|vf[.-]/i.test(file)
  const range = isVariable ? '100 900' : (font.weight ?? 'normal')
  const own =
    file !== null &&
    `@font-face{font-family:'${family}';src:url(../${encodePath(file)});font-weight:${range};font-display:swap}`
  // A font family without a file may be installed on the reader's device.
  const name = file === null ? `'${font.family}'` : `'${family}'`
  const variable = place === 'heading' ? '--heading-font' : '--body-font'
  const weight = place === 'heading' && font.weight !== null && `article :is(h1,h2,h3,h4){font-weight:${font.weight}}`
  return `${own || ''}:root{${variable}:${name},var(--sans)}${weight || ''}`
}

const buildBackgroundStyles = async ({ background }: Brand, copy: CopyFile) => {
  const { image, decoration } = background
  const light = image.light === null ? null : await copy(image.light, 'background.image')
  const dark = image.dark === null || image.dark === image.light ? light : await copy(image.dark, 'background.image')
  const layer = (file: string | null) => (file === null ? null : `--backdrop:${veil},url(../${encodePath(file)})`)
  const [onLight, onDark] = [layer(light), layer(dark)]
  return [
    decoration && `:root{${decorations[decoration]}}`,
    onLight && `:root{${onLight};--backdrop-size:cover}`,
    onDark &&
      onDark !== onLight &&
      `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${onDark}}}:root[data-theme=dark]{${onDark}}`,
  ]
    .filter(Boolean)
    .join('')
}

/** Layer over a background picture that keeps text readable. */
const veil = 'linear-gradient(color-mix(in srgb,var(--surface) 90%,transparent) 0 0)'

const formatTint = (part: number) => `color-mix(in srgb,var(--accent) ${part}%,transparent)`
const decorations = {
  gradient: `--backdrop:radial-gradient(60rem 26rem at 75% -8rem,${formatTint(14)},transparent)`,
  grid: `--backdrop:linear-gradient(var(--surface),transparent 1px),linear-gradient(to bottom,transparent,var(--surface) 28rem),repeating-linear-gradient(90deg,${formatTint(10)} 0 1px,transparent 1px 4rem),repeating-linear-gradient(${formatTint(10)} 0 1px,transparent 1px 4rem)`,
  windows: `--backdrop:linear-gradient(115deg,transparent 62%,${formatTint(7)} 62% 74%,transparent 74% 79%,${formatTint(5)} 79% 90%,transparent 90%)`,
} as const

/** Styles for a top bar in the owner's colour. Elements in it use the colour variables of the page, which are set for the bar. */
const buildBarStyles = (color: Pair): string => {
  const [light, dark] = [color.light && buildBarRules(color.light), color.dark && buildBarRules(color.dark)]
  const styles = [
    // The banner is directly above the bar, and must be distinguishable from it.
    light && `.banner{--accent:#1d2027;--surface:#ffffff}.top{${light}}`,
    dark &&
      `@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .top{${dark}}}:root[data-theme=dark] .top{${dark}}`,
  ]
  const text = styles.filter(Boolean).join('')
  return text && `@media screen{${text}}`
}

const buildBarRules = (color: string) => {
  const { surface, ink, shade } = findInkOn(color)
  const mix = (other: string, part: number) => `color-mix(in srgb,${other} ${part}%,${surface})`
  return `--surface:${surface};--text:${ink};--soft:${ink};--accent:${ink};--raised:${mix(shade, 16)};--tint:${mix(shade, 24)};--line:${mix(ink, 28)};background:${surface};color:${ink}`
}
