import type { FileRemark } from '#archive/archive-file.ts'
import type { BundleFile } from '#manifest.ts'
import type { Findings } from './collect-findings.ts'
import type { Rule } from './rules.ts'

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

const isUnportable = (name: string) => reserved.test(name) || /[<>:"|?*\\]|[ .]$/.test(name)

/** Adds remarks, and names that Windows or macOS can't have. */
export const checkNames = (files: readonly BundleFile[], findings: Findings, remarks: readonly FileRemark[]): void => {
  const add = (rule: Rule, path: string, target: string | null = null) =>
    findings.add(rule, target, { page: null, path })
  for (const { rule, path, target } of remarks) add(rule, path, target)
  for (const { path } of files) if (path.split('/').some(isUnportable)) add('unportable-name', path)
  const similar = Map.groupBy(files, ({ path }) => path.normalize('NFC').toLowerCase())
  for (const twins of similar.values()) if (twins.length > 1) for (const { path } of twins) add('similar-names', path)
}
