/** Limits for one export. The report names everything over a limit. */
export const limits = {
  /** Maximum size of one page. Bytes. */
  pageBytes: 1024 * 1024,
  pages: 20_000,
  /** Maximum nesting of elements on a page. */
  nesting: 200,
} as const
