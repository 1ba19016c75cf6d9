/** What OpenAPI documents may cost. What is over a limit is left out and said on the page or in the report. */
export const apiLimits = {
  /** One document as JSON. Bytes. */
  jsonBytes: 16 * 1024 * 1024,
  /** One document as YAML, which takes fifty times its size to read. Bytes. */
  yamlBytes: 4 * 1024 * 1024,
  /** Documents of one site. */
  documents: 50,
  /** Operations of one site that have a page. */
  operations: 5_000,
  /** Schemas within schemas that a page shows. */
  depth: 6,
  /** Properties and variants of schemas on one page. */
  schemas: 600,
  /** Parameters, responses, media types, servers, or security requirements of one operation. */
  items: 60,
  /** Values that an `enum` lists. */
  enumValues: 40,
} as const
