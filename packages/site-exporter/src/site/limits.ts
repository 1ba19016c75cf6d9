/** Limits for one export. The report names everything over a limit. */
export const limits = {
  pageBytes: 1024 * 1024,
  pages: 25_000,
  nesting: 200,
} as const
