import { createHash } from 'node:crypto'
import type { Finding } from '#report.ts'
import type { BundleFile } from '#manifest.ts'
import { createFileKind } from '#file-kind.ts'
import { checkSite } from '#check/check-site.ts'

const toFile = (path: string, content: string | Buffer): BundleFile => {
  const kind = createFileKind(path)
  kind.add(Buffer.from(content))
  return {
    path,
    sizeBytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
    ...kind.end(),
  }
}

/** Checks files by path. */
export const checkContents = (files: Readonly<Record<string, string | Buffer>>) =>
  checkSite({
    files: Object.entries(files).map(([path, content]) => toFile(path, content)),
    read: (path) => Promise.resolve(Buffer.from(files[path] ?? '')),
  })

/** Findings as `rule target`, of the levels that alarm people. */
export const listAlarms = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level !== 'notes').map(({ rule, target }) => `${rule} ${target ?? ''}`.trim())
