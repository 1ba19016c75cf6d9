import type { Finding } from '#report.ts'
import { createFinding } from './collect-findings.ts'
import type { Use } from './reference.ts'
import { cutTarget, leakRule, toLeakTarget } from './rules.ts'

/** A request that a browser refused in a preview: `directive` of the policy, and the address it asked for. */
export type RefusedRequest = { page: string; directive: string; target: string; count: number }

const uses: readonly (readonly [RegExp, Exclude<Use, 'link' | 'name' | 'form'>])[] = [
  [/^style-src/, 'style'],
  [/^(script|worker)-src/, 'script'],
  [/^font-src/, 'font'],
  [/^img-src/, 'image'],
  [/^media-src/, 'media'],
  [/^(frame|child)-src/, 'frame'],
  [/^object-src/, 'object'],
  [/^manifest-src/, 'manifest'],
  [/^prefetch-src/, 'hint'],
]

/** Findings of what previews asked other hosts for. They have the fingerprint of the same cause in a check. */
export const findPreviewLeaks = (
  requests: readonly RefusedRequest[],
  toPath: (page: string) => string,
): Omit<Finding, 'seenBy'>[] => {
  const findings = new Map<string, Omit<Finding, 'seenBy'>>()
  for (const { page, directive, target } of requests) {
    const url = URL.canParse(target) ? new URL(target) : null
    if (url === null || !/^(https?|wss?):$/.test(url.protocol)) continue
    const use = uses.find(([pattern]) => pattern.test(directive))?.[1] ?? 'call'
    const created = createFinding(leakRule(use), toLeakTarget(use, url), url.host)
    const finding = findings.get(created.fingerprint) ?? created
    findings.set(finding.fingerprint, finding)
    finding.total += 1
    finding.places.push({ page, path: toPath(page), excerpt: cutTarget(`${directive}: ${target}`), line: null })
  }
  return [...findings.values()]
}
