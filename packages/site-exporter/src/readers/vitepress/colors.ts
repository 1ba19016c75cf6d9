import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { readText } from '#readers/read-text.ts'
import { readStyleColor } from '#readers/style-colors.ts'
import type { Pair } from '#site/brand.ts'

/** Colours of links in the theme of VitePress, where the owner has no others. */
const plainColors = { light: '#3451b2', dark: '#a8b1ff' }
const maxStyles = 20

/** Reads the brand colours of the style sheets that the theme in `.vitepress/theme/` imports. */
export const readVitepressColors = async (folder: SourceFolder, base: string): Promise<Pair> => {
  const place = `${base}.vitepress/theme/`
  const styles: string[] = []
  for (const name of ['index.ts', 'index.mts', 'index.js', 'index.mjs'])
    styles.push(...listStyles(await readText(folder, place + name), place + name))
  // Style sheets import others.
  for (const file of styles.slice(0, maxStyles)) styles.push(...listStyles(await readText(folder, file), file))
  const own = await readStyleColor(folder, [...new Set(styles)], '--vp-c-brand-1', 'light')
  return { light: own.light ?? plainColors.light, dark: own.dark ?? plainColors.dark }
}

const listStyles = (text: string, from: string): string[] =>
  [...text.matchAll(/^[ \t]*@?import[ \t]+(?:url\()?['"](\.{1,2}\/[^'"\n]{1,200}\.css)['"]/gm)]
    .slice(0, maxStyles)
    .map(([, path = '']) => posix.join(posix.dirname(from), path))
