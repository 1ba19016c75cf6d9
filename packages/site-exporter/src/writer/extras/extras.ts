import { diagramMark } from '#markdown/diagrams.ts'
import { formulaMark } from '#markdown/formulas/draw-formulas.ts'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readIconClass } from '#markdown/icons/find-icon.ts'
import { drawGlyph, iconSets } from '#markdown/icons/icon-sets.ts'

export type ExtraFile = { file: string; content: string | Buffer }

export type PageExtras = {
  styles: string[]
  scripts: string[]
  /** True when drawings on the page need inline styles and fonts. Scripts are still allowed only from the bundle. */
  isDrawn: boolean
}

const formulaStyles = '_docket/katex.css'
const iconStyles = '_docket/icons.css'
const diagramScripts = ['_docket/mermaid.js', '_docket/diagrams.js']

/** Finds what a page needs in its HTML, which may come from a cache. */
export const findExtras = (html: string): PageExtras => {
  const [hasFormulas, hasDiagrams] = [html.includes(formulaMark), html.includes(diagramMark)]
  return {
    styles: [...(hasFormulas ? [formulaStyles] : []), ...(/ class="icon[ -]/.test(html) ? [iconStyles] : [])],
    scripts: hasDiagrams ? diagramScripts : [],
    isDrawn: hasFormulas || hasDiagrams,
  }
}

export const createSiteExtras = () => {
  const classes = new Set<string>()
  const icons = new Set<string>()
  const used = new Set<string>()
  return {
    add: (html: string): void => {
      const { styles, scripts } = findExtras(html)
      for (const file of [...styles, ...scripts]) used.add(file)
      if (styles.includes(formulaStyles))
        for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g))
          for (const name of names.split(' ')) classes.add(name)
      if (styles.includes(iconStyles)) for (const name of listIconClasses(html)) icons.add(name)
    },
    files: async (): Promise<ExtraFile[]> => [
      ...(used.has(formulaStyles) ? await buildFormulaFiles(formulaStyles, classes) : []),
      ...(diagramScripts.some((file) => used.has(file)) ? await buildDiagramFiles(diagramScripts) : []),
      ...(used.has(iconStyles) ? await buildIconFiles(iconStyles, icons) : []),
    ],
  }
}

/** Classic script, because pages opened from a disk cannot load modules. Without mind maps and architecture diagrams. */
const mermaidScript = createRequire(import.meta.url).resolve('@mermaid-js/tiny')

const buildDiagramFiles = async ([mermaid, drawing]: readonly string[]): Promise<ExtraFile[]> => [
  { file: mermaid!, content: await readFile(mermaidScript, 'utf8') },
  { file: drawing!, content: await readAsset('diagrams.js') },
]

export const readAsset = (name: string) => readFile(new URL(`../assets/${name}`, import.meta.url), 'utf8')

/** Script of a module that the export uses, too. Its export becomes a part of `docket`. */
export const readSharedScript = async (file: string, exported: string, part = exported) => {
  const program = await readAsset(file)
  return `;(() => {\n${program.replace(`export const ${exported}`, `window.docket.${part}`)}})()\n`
}

export const readSearchTerms = () => readSharedScript('search-words.js', 'searchTerms', 'search')

const katexFolder = dirname(createRequire(import.meta.url).resolve('katex/dist/katex.min.css'))

const buildFormulaFiles = async (sheet: string, classes: ReadonlySet<string>): Promise<ExtraFile[]> => {
  const styles = await readFile(join(katexFolder, 'katex.min.css'), 'utf8')
  const families = findFamilies(styles, classes)
  const fonts: string[] = []
  const kept = styles.replaceAll(fontFace, (whole, family: string, font: string) => {
    if (!families.has(family)) return ''
    fonts.push(font)
    // All browsers that support MathML support this format.
    return whole.replace(/src:[^;}]*/, `src:url(${font}) format("woff2")`)
  })
  const folder = dirname(sheet)
  return [
    { file: sheet, content: `/*! KaTeX, MIT License: https://katex.org */\n${kept}\n${ownFormulaStyles}` },
    ...(await Promise.all(
      fonts.map(async (font) => ({ file: join(folder, font), content: await readFile(join(katexFolder, font)) })),
    )),
  ]
}

const fontFace = /@font-face\{[^{}]*?font-family:"?(KaTeX_\w+)[^{}]*?url\((fonts\/[\w-]+\.woff2)\)[^{}]*\}/g

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

const ownFormulaStyles = `.katex{font-size:1.1em}
.katex-display{margin:1.25em 0;padding:.125em 0;overflow:auto hidden}
`

const iconUses = /<span class="icon ([\w -]+)"/g

const listIconClasses = (html: string): string[] =>
  [...html.matchAll(iconUses)].flatMap(([, names = '']) => names.split(' '))

/** Style sheet with the glyphs in use: masks have the colour of the text, and pages opened from a disk cannot load masks from files. */
const buildIconFiles = async (sheet: string, classes: ReadonlySet<string>): Promise<ExtraFile[]> => {
  const licences = new Set<string>()
  const rules = [...classes].toSorted().flatMap((name) => {
    const glyph = readIconClass(name)
    if (glyph) licences.add(iconSets[glyph.set])
    const value = glyph ? `--icon:url("${toDataUrl(drawGlyph(glyph.set, glyph.name))}")` : readRule(name)
    return value === null ? [] : [`.icon.${name}{${value}}`]
  })
  const credits = [...licences].toSorted().map((words) => `   ${words}\n`)
  return [{ file: sheet, content: `/*! Icons:\n${credits.join('')}*/\n${rules.join('\n')}\n` }]
}

const readRule = (name: string): string | null => {
  const size = /^is-(\d{1,3})$/.exec(name)?.[1]
  if (size !== undefined) return `font-size:${Math.max(8, Number(size))}px`
  const [, hex, word] = /^ik-(?:x([\da-f]{3,6})|([a-z]{3,20}))$/.exec(name) ?? []
  return hex !== undefined ? `color:#${hex}` : word !== undefined ? `color:${word}` : null
}

const toDataUrl = (svg: string) =>
  `data:image/svg+xml,${svg.replaceAll('"', "'").replace(/[%#<>]/g, (character) => encodeURIComponent(character))}`
