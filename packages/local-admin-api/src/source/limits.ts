/** What one export may cost. Whatever is over a limit is left out and named in the report. */
export const limits = {
  /** One page. Bytes. */
  pageBytes: 1024 * 1024,
  /** One image or other file. Bytes. */
  mediaBytes: 32 * 1024 * 1024,
  /** Pages of one site. */
  pages: 20_000,
  /** Files looked at, pages or not. */
  files: 200_000,
  /** Folders within folders. */
  depth: 24,
  /** Elements within elements on one page. */
  nesting: 200,
} as const
