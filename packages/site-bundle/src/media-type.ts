import { getMimeType } from 'hono/utils/mime'

const others: Readonly<Record<string, string>> = {
  adoc: 'text/plain',
  log: 'text/plain',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mdx: 'text/markdown',
  rst: 'text/plain',
  toml: 'application/toml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

export const readMediaType = (path: string): string =>
  getMimeType(path)?.split(';', 1)[0] ??
  others[/\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ??
  'application/octet-stream'
