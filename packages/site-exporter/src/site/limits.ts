/** What one export may cost. Whatever is over a limit is left out and named in the report. */
export const limits = {
  /** One page. Bytes. */
  pageBytes: 1024 * 1024,
  /** Pages of one site. */
  pages: 20_000,
  /** Elements within elements on one page. */
  nesting: 200,
} as const
