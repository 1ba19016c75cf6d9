export type Piece = {
  file: string
  /** Text of a Markdown file, a module, or JSON. Null for files that are only linked, such as images. */
  source: string | null
  /** Files by the names under which this file imports them. */
  imports: [specifier: string, file: string][]
}

/** Everything that the MDX of one page can import. Plain data, so that it can be part of a digest. */
export type PagePieces = {
  file: string
  imports: Piece['imports']
  pieces: Piece[]
  /** The page with its Markdown pieces as text, for a page whose MDX does not parse. Null if it has none. */
  plainBody: string | null
}

export const createEmptyPieces = (file = ''): PagePieces => ({ file, imports: [], pieces: [], plainBody: null })

/** Prefix of the name of a file that is imported as text: `raw:code/a.ts`. */
export const rawMark = 'raw:'

/** Name of the file that registers components for all pages of a Docusaurus site. */
export const registeredName = 'src/theme/MDXComponents'

/** Name under which `<Snippet file="x">` imports the file. */
export const formatSnippetName = (file: string): string => `snippet:${file}`
