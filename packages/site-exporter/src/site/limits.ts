/** Limits for one export. The report names everything over a limit. */
export const limits = {
  /** Bytes of one page. */
  pageBytes: 1024 * 1024,
  pages: 20_000,
  /** Nested elements on a page. */
  nesting: 200,
} as const
