import type { SourceFolder } from '@docket/sources/source-folder'
import { limits } from '#site/limits.ts'

/** Reads the files that one page puts into itself. */
export type PieceReader = Pick<SourceFolder, 'read'> & {
  /** What was refused, as half a sentence for the report; null when nothing was. */
  readonly problem: string | null
}

const maxPieces = 100
/** All pieces of a page together. Bytes. */
const maxBytes = 8 * limits.pageBytes
/** Hidden folders that documentation shows files of. In others are credentials and settings that nobody means to publish. */
const publicFolders = new Set(['.vitepress', '.github'])

/**
 * A reader for the pieces of one page, however deep they include each other: so many files and bytes, and nothing hidden. Without an
 * end, pages of a hundred lines each could ask for millions of files.
 */
export const pieceReader = (folder: Pick<SourceFolder, 'read'>): PieceReader => {
  let [pieces, bytes] = [0, 0]
  let problem: string | null = null
  return {
    get problem() {
      return problem
    },
    read: async (file, limit) => {
      const hidden = file.split('/').find((part) => part.startsWith('.') && part !== '..' && !publicFolders.has(part))
      if (hidden !== undefined) problem = `pieces from hidden files, such as ${hidden.slice(0, 80)}`
      if (hidden !== undefined) return null
      if (pieces >= maxPieces || bytes >= maxBytes) {
        problem = `pieces past the first ${maxPieces} files or ${maxBytes / 1024 / 1024} MB that it includes`
        return null
      }
      pieces += 1
      const content = await folder.read(file, limit)
      bytes += content?.length ?? 0
      return content
    },
  }
}
