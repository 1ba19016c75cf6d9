import type { BundleFile } from '#manifest.ts'
import type { Findings } from './collect-findings.ts'
import type { Rule } from './rules.ts'

/** What reading the archive showed. `paths` may name files that were left out. */
export type FileRemark = { rule: Rule; target?: string; paths: readonly string[] }

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

const isUnportable = (name: string) => reserved.test(name) || /[<>:"|?*\\]|[ .]$/.test(name)

/** Adds remarks, and names that Windows or macOS can't have. */
export const checkNames = (files: readonly BundleFile[], findings: Findings, remarks: readonly FileRemark[]): void => {
  const add = (rule: Rule, paths: readonly string[], target: string | null = null) => {
    if (paths.length > 0)
      findings.addAll(
        rule,
        target,
        paths.map((path) => ({ page: null, path })),
      )
  }
  for (const { rule, paths, target } of remarks) add(rule, paths, target)
  const paths = files.map(({ path }) => path)
  add(
    'unportable-name',
    paths.filter((path) => path.split('/').some(isUnportable)),
  )
  const fold = (path: string) => path.normalize('NFC').toLowerCase()
  const similar = Map.groupBy(paths, fold)
  for (const twins of similar.values()) if (twins.length > 1) add('similar-names', twins)
}
