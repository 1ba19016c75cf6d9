/** Accent colour styles with a contrast of at least 4.5. */
export const accentStyles = ({ light, dark }: { light: string | null; dark: string | null }): string => {
  const onLight = light && `--accent:${readable(light, [255, 255, 255])}`
  const onDark = dark && `--accent:${readable(dark, [17, 19, 24])}`
  return [
    onLight && `:root{${onLight}}`,
    onDark &&
      `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${onDark}}}@media screen{:root[data-theme=dark]{${onDark}}}`,
  ]
    .filter(Boolean)
    .join('\n')
}

type Rgb = readonly [number, number, number]

const readable = (hex: string, surface: Rgb) => {
  const goal: Rgb = luminance(surface) > 0.5 ? [0, 0, 0] : [255, 255, 255]
  let color = parseRgb(hex)
  // Some link surfaces are tinted, hence more than 4.5.
  for (let step = 0; step < 40 && contrast(color, surface) < 5.2; step++) {
    color = [0, 1, 2].map((i) => Math.round(color[i]! + (goal[i]! - color[i]!) * 0.06)) as unknown as Rgb
  }
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

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
