import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { readText } from '#readers/read-text.ts'
import { readThemeColor } from '#readers/style-colors.ts'
import type { Brand, Pair } from '#site/brand.ts'

/** Colours of the theme of VitePress, which those of the owner may name. */
const theme = `:root { --vp-c-brand-1: var(--vp-c-indigo-1); --vp-c-indigo-1: #3451b2; --vp-c-purple-1: #6f42c1;
  --vp-c-green-1: #18794e; --vp-c-yellow-1: #915930; --vp-c-red-1: #b8272c; }
.dark { --vp-c-indigo-1: #a8b1ff; --vp-c-purple-1: #c8abfa; --vp-c-green-1: #3dd68c; --vp-c-yellow-1: #f9b44e;
  --vp-c-red-1: #f66f81; }`
const maxStyles = 20

/** Reads the brand colours of the style sheets that the theme in `.vitepress/theme/` imports, and adds a remark about the rest. */
export const readVitepressTheme = async (
  folder: SourceFolder,
  base: string,
  brand: Brand,
): Promise<{ colors: Pair; brand: Brand }> => {
  const place = `${base}.vitepress/theme/`
  const styles: string[] = []
  const leftOut = [...brand.leftOut]
  for (const name of ['index.ts', 'index.mts', 'index.js', 'index.mjs']) {
    const text = await readText(folder, place + name)
    styles.push(...listStyles(text, place + name))
    if (text !== '') leftOut.push(`the theme in \`${place}${name}\`: only its brand colours are read`)
  }
  // Style sheets import others.
  for (const file of styles.slice(0, maxStyles)) styles.push(...listStyles(await readText(folder, file), file))
  const colors = await readThemeColor(folder, [...new Set(styles)], '--vp-c-brand-1', { usual: 'light', theme })
  return { colors, brand: { ...brand, leftOut } }
}

const listStyles = (text: string, from: string): string[] =>
  [...text.matchAll(/^[ \t]*@?import[ \t]+(?:url\()?['"](\.{1,2}\/[^'"\n]{1,200}\.css)['"]/gm)]
    .slice(0, maxStyles)
    .map(([, path = '']) => posix.join(posix.dirname(from), path))
