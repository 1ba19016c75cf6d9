import type { SourceFolder } from '@docket/sources/source-folder'
import { decodeSourceText } from '#site/decode-text.ts'
import { limits } from '#site/limits.ts'

export type PieceReader = {
  /** Text of a file; null if it is missing or refused. */
  read: (file: string, maxBytes: number) => Promise<string | null>
  /** Reason why none of these files can be read; null when the source has none of them. */
  explain: (candidates: readonly string[]) => string | null
  /** Refused files and cycles, each as a sentence fragment for the report. */
  problems: () => string[]
  addProblem: (problem: string) => void
}

const maxPieces = 400
const maxProblems = 20
/** Maximum size of all pieces of a page. Bytes. */
const maxBytes = 8 * limits.pageBytes
/** Hidden folders that may be published; others may contain credentials. */
const publicFolders = new Set(['.vitepress', '.github', '.gitbook'])

/** Creates a reader with limits on files and bytes across nested includes. It refuses hidden files. */
export const createPieceReader = (folder: Pick<SourceFolder, 'read' | 'explain'>): PieceReader => {
  let [pieces, bytes] = [0, 0]
  const problems = new Set<string>()
  const reader: PieceReader = {
    problems: () => [...problems],
    addProblem: (problem) => {
      if (problems.size < maxProblems) problems.add(problem)
    },
    explain: (candidates) => candidates.map((file) => folder.explain(file)).find((reason) => reason !== null) ?? null,
    read: async (file, limit) => {
      const hidden = file.split('/').find((part) => part.startsWith('.') && part !== '..' && !publicFolders.has(part))
      if (hidden !== undefined) {
        problems.add(`pieces from hidden files, such as ${hidden.slice(0, 80)}`)
        return null
      }
      if (pieces >= maxPieces || bytes >= maxBytes) {
        problems.add(`pieces past the first ${maxPieces} files or ${maxBytes / 1024 / 1024} MB that it includes`)
        return null
      }
      const content = await folder.read(file, limit)
      // A missing file costs little.
      pieces += content ? 1 : 0.05
      if (!content) return null
      bytes += content.length
      const { text, problem } = decodeSourceText(content)
      if (problem !== null) reader.addProblem(`${file}: ${problem}`)
      return text
    },
  }
  return reader
}
