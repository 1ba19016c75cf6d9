/** Limits for OpenAPI documents. The page or the report names everything over a limit. */
export const apiLimits = {
  jsonBytes: 16 * 1024 * 1024,
  /** Maximum size of a YAML document; parsing takes fifty times as much memory. Bytes. */
  yamlBytes: 4 * 1024 * 1024,
  /** Maximum size of all documents that a site reads. In memory, they take up to twice as much. Bytes. */
  readBytes: 96 * 1024 * 1024,
  /** Maximum size of a file that is searched for a description, and of all of them. Bytes. */
  searchedFileBytes: 32 * 1024 * 1024,
  searchedBytes: 256 * 1024 * 1024,
  operations: 5_000,
  depth: 6,
  /** Maximum properties and variants per page. */
  schemas: 600,
  /** Maximum parameters, responses, media types, servers or security requirements per operation. */
  items: 60,
  enumValues: 40,
} as const

export const formatMegabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`
