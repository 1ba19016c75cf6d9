import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ExtraFile } from './extra-file.ts'

/** Folder of the style sheet and the fonts of KaTeX. */
const library = dirname(createRequire(import.meta.url).resolve('katex/dist/katex.min.css'))

/** Style sheet of KaTeX, and the fonts of the classes in use. */
export const formulaFiles = async (sheet: string, classes: ReadonlySet<string>): Promise<ExtraFile[]> => {
  const styles = await readFile(join(library, 'katex.min.css'), 'utf8')
  const families = findFamilies(styles, classes)
  const fonts: string[] = []
  const kept = styles.replaceAll(fontFace, (whole, family: string, font: string) => {
    if (!families.has(family)) return ''
    fonts.push(font)
    // Browsers that know MathML know this format, too.
    return whole.replace(/src:[^;}]*/, `src:url(${font}) format("woff2")`)
  })
  const folder = dirname(sheet)
  return [
    { file: sheet, content: `/*! KaTeX, MIT License: https://katex.org */\n${kept}\n${own}` },
    ...(await Promise.all(
      fonts.map(async (font) => ({ file: join(folder, font), content: await readFile(join(library, font)) })),
    )),
  ]
}

const fontFace = /@font-face\{[^{}]*?font-family:"?(KaTeX_\w+)[^{}]*?url\((fonts\/[\w-]+\.woff2)\)[^{}]*\}/g

/** Font families of the rules that match a set of classes. */
const findFamilies = (styles: string, classes: ReadonlySet<string>) => {
  const families = new Set<string>()
  for (const [, selectors = '', rules = ''] of styles.replaceAll(fontFace, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const [, family] = /\bfont(?:-family)?:[^;}]*?(KaTeX_\w+)/.exec(rules) ?? []
    const isUsed = (selector: string) =>
      [...selector.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name))
    if (family !== undefined && selectors.split(',').some(isUsed)) families.add(family)
  }
  return families
}

const own = `.katex{font-size:1.1em}
.katex-display{margin:1.25em 0;padding:.125em 0;overflow:auto hidden}
`
