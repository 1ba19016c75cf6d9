import type { Architecture } from './platforms.ts'

/** Name of the archive and of the folder in it, without an ending. */
export const archiveName = (version: string, architecture: Architecture): string =>
  `docket-${version}-linux-${architecture}`

/** Name of the image without an ending. */
export const imageName = (version: string): string => `docket-${version}-oci-linux-x64`

/** Bytes that a file may have. */
export const maxBytes = { archive: 100_000_000, image: 200_000_000 } as const
