/** Limits of reading a source. What is over a limit is left out and named in the report. */
export const sourceLimits = {
  /** Files of one source, pages or not. */
  files: 200_000,
  /** Folders within folders. */
  depth: 24,
  /** One file. Bytes. */
  fileBytes: 32 * 1024 * 1024,
} as const
