import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A hostile thing of a source: its file, and words that its page holds when it became one. Without words only a line of
 * the report counts.
 */
export type Planted = { file: string; words: string | null }

/**
 * A folder that is being filled with hostile things, each of which must come out as a page or be named in the report.
 */
export type SourceBuilder = {
  folder: string
  planted: Planted[]
  /** A file that nobody must account for. */
  file: (name: string, content: string | Buffer) => void
  /** A page with words of its own at its end. */
  page: (name: string, content: string) => void
  /** Something that the report must name. */
  reported: (file: string) => void
}

let pages = 0

/** Fills `folder`, which is made. */
export const sourceBuilder = (folder: string): SourceBuilder => {
  const planted: Planted[] = []
  const file = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return {
    folder,
    planted,
    file,
    page: (name, content) => {
      const words = `end of hostile page ${(pages += 1)}.`
      file(name, `${content}\n\n${words}\n`)
      planted.push({ file: name, words })
    },
    reported: (name) => planted.push({ file: name, words: null }),
  }
}

/** So many pieces in a row. */
export const many = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')
