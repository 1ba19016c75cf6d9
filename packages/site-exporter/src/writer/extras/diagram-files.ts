import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ExtraFile } from './extra-file.ts'

/** Classic script, because pages opened from a disk cannot load modules. Without mind maps and architecture diagrams. */
const library = createRequire(import.meta.url).resolve('@mermaid-js/tiny')

/** Mermaid, and the script that draws with it. */
export const diagramFiles = async (sheet: string, [mermaid, drawing]: readonly string[]): Promise<ExtraFile[]> => [
  { file: sheet, content: await asset('diagrams.css') },
  { file: mermaid!, content: await readFile(library, 'utf8') },
  { file: drawing!, content: await asset('diagrams.js') },
]

const asset = (name: string) => readFile(new URL(`../assets/${name}`, import.meta.url), 'utf8')
