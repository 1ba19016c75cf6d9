export type Bounds = {
  entries: number
  /** Bytes of all files, and of what the archive says about them. */
  contentBytes: number
  fileBytes: number
  /** Maximum content per byte of the archive, checked beyond 16 MiB of content. */
  ratio: number
  /** UTF-8 bytes of one path. */
  pathBytes: number
  allPathBytes: number
  depth: number
}

/** Far beyond the largest documentation site we know. */
export const usualBounds: Bounds = {
  entries: 200_000,
  contentBytes: 8 * 1024 ** 3,
  fileBytes: 1024 ** 3,
  ratio: 200,
  pathBytes: 1024,
  allPathBytes: 32 * 1024 ** 2,
  depth: 32,
}
