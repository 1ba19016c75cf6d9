/** Limits for OpenAPI documents. The page or the report names everything over a limit. */
export const apiLimits = {
  /** JSON document. Bytes. */
  jsonBytes: 16 * 1024 * 1024,
  /** YAML document; parsing takes fifty times its size. Bytes. */
  yamlBytes: 4 * 1024 * 1024,
  /** Documents per site. */
  documents: 50,
  /** Operation pages per site. */
  operations: 5_000,
  depth: 6,
  /** Properties and variants per page. */
  schemas: 600,
  /** Parameters, responses, media types, servers or security requirements per operation. */
  items: 60,
  enumValues: 40,
} as const
