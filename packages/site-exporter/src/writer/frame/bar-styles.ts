import type { Pair } from '#site/brand.ts'
import { inkOn } from '#writer/colors.ts'

/** Styles for a top bar in the owner's colour. Its parts take their colours from the variables of the page. */
export const barStyles = (color: Pair): string => {
  const [light, dark] = [
    color.light === null ? null : rules(color.light),
    color.dark === null ? null : rules(color.dark),
  ]
  const styles = [
    // The banner stands above the bar, and must not melt into it.
    light && `.banner{--accent:#1d2027;--surface:#ffffff}.top{${light}}`,
    dark &&
      `@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .top{${dark}}}:root[data-theme=dark] .top{${dark}}`,
  ]
  const text = styles.filter(Boolean).join('')
  return text && `@media screen{${text}}`
}

const rules = (color: string) => {
  const { surface, ink, shade } = inkOn(color)
  const mix = (other: string, part: number) => `color-mix(in srgb,${other} ${part}%,${surface})`
  return `--surface:${surface};--text:${ink};--soft:${ink};--accent:${ink};--raised:${mix(shade, 16)};--tint:${mix(shade, 24)};--line:${mix(ink, 28)};background:${surface};color:${ink}`
}
