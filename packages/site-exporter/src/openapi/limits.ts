/** Limits for OpenAPI documents. The page or the report names everything over a limit. */
export const apiLimits = {
  jsonBytes: 16 * 1024 * 1024,
  /** Maximum size of a YAML document; parsing takes fifty times as much memory. Bytes. */
  yamlBytes: 4 * 1024 * 1024,
  documents: 50,
  operations: 5_000,
  depth: 6,
  /** Maximum properties and variants per page. */
  schemas: 600,
  /** Maximum parameters, responses, media types, servers or security requirements per operation. */
  items: 60,
  enumValues: 40,
} as const
