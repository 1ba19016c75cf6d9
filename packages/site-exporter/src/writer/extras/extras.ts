import { diagramMark } from '#markdown/diagrams.ts'
import { formulaMark } from '#markdown/formulas/draw-formulas.ts'
import { diagramFiles } from './diagram-files.ts'
import { iconFiles, listIconClasses } from './icon-files.ts'
import type { ExtraFile } from './extra-file.ts'
import { formulaFiles } from './formula-files.ts'

/** Styles and scripts that only some pages need. */
export type PageExtras = {
  /** Style sheets of the bundle. */
  styles: string[]
  /** Scripts of the bundle, in order. */
  scripts: string[]
  /** True when what is drawn on the page carries styles and fonts. Scripts stay those of the bundle. */
  isDrawn: boolean
}

const formulaStyles = '_docket/katex.css'
const iconStyles = '_docket/icons.css'
const diagramStyles = '_docket/diagrams.css'
const diagramScripts = ['_docket/mermaid.js', '_docket/diagrams.js']

/** Finds what a page needs in its HTML, which may come from a cache. */
export const findExtras = (html: string): PageExtras => {
  const [hasFormulas, hasDiagrams] = [html.includes(formulaMark), html.includes(diagramMark)]
  return {
    styles: [
      ...(hasFormulas ? [formulaStyles] : []),
      ...(hasDiagrams ? [diagramStyles] : []),
      ...(/ class="icon[ -]/.test(html) ? [iconStyles] : []),
    ],
    scripts: hasDiagrams ? diagramScripts : [],
    isDrawn: hasFormulas || hasDiagrams,
  }
}

/** Collects what the pages of a site need, in any order. */
export const siteExtras = () => {
  const classes = new Set<string>()
  const icons = new Set<string>()
  const counts = { formulas: 0, diagrams: 0, icons: 0 }
  return {
    /** Adds the whole HTML of a page. */
    add: (html: string): void => {
      const { styles, scripts } = findExtras(html)
      if (styles.includes(formulaStyles)) {
        counts.formulas += 1
        for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g))
          for (const name of names.split(' ')) classes.add(name)
      }
      if (scripts.length > 0) counts.diagrams += 1
      if (styles.includes(iconStyles)) {
        counts.icons += 1
        for (const name of listIconClasses(html)) icons.add(name)
      }
    },
    /** Files for all added pages. */
    files: async (): Promise<ExtraFile[]> => [
      ...(counts.formulas > 0 ? await formulaFiles(formulaStyles, classes) : []),
      ...(counts.diagrams > 0 ? await diagramFiles(diagramStyles, diagramScripts) : []),
      ...(counts.icons > 0 ? await iconFiles(iconStyles, icons) : []),
    ],
  }
}
