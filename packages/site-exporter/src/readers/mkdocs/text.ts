import { openBlocks } from '#markdown/mkdocs/blocks.ts'
import { openDefinitions } from '#markdown/mkdocs/definition-lists.ts'
import { readFences } from '#markdown/mkdocs/fences.ts'
import { openHtmlBlocks } from '#markdown/mkdocs/html-blocks.ts'
import type { Note } from '#markdown/page-notes.ts'
import type { PieceReader } from '#readers/piece-reader.ts'
import { includeMkdocsSnippets } from './snippets.ts'

/** Where snippets are found, and what takes the remarks. */
export type MkdocsText = {
  folders: readonly string[]
  appended: readonly string[]
  reader: PieceReader
  note: Note
}

/** Rewrites Python-Markdown: snippets, fences, blocks, definition lists and Markdown inside HTML. */
export const readMkdocsText = async (body: string, file: string, { note, ...rest }: MkdocsText): Promise<string> => {
  const whole = await includeMkdocsSnippets(body, file, rest)
  return openDefinitions(openHtmlBlocks(openBlocks(readFences(withoutReferences(whole, note)))))
}

const reference = /^:::[ \t]+([A-Za-z_][\w.]{0,200})[ \t]*\n((?:[ \t]+[^\n]*\n|\n(?=[ \t]))*)/gm

/** `::: package.Class` stands for text that MkDocs takes from Python code. */
const withoutReferences = (text: string, note: Note) =>
  `${text}\n`.replace(reference, (_, name: string) => {
    note('left-out', `the reference of ${name}, which its tool makes from Python code`)
    return `\n<not-here name="${name}"></not-here>\n\n`
  })
