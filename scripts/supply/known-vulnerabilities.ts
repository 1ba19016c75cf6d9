import { execFile } from 'node:child_process'

/** Result of the audit: findings that must not be shipped, or the reason why it could not run. */
export type Audit = { faults: string[] } | { notRun: string }

type Advisory = { severity: string; module_name: string; vulnerable_versions: string; title: string; url: string }

const limitMs = 15_000
const grave = new Set(['high', 'critical'])

/** Finds the message of pnpm, without the frame around it. */
const findReason = (output: string): string =>
  output
    .slice(output.indexOf('×') + 1)
    .split('\n')
    .map((line) => line.replace(/^[\s│├╰─▶]+/, '').trim())
    .filter((line) => line !== '')
    .join(' ')
    .slice(0, 300)

const advisoriesIn = (output: string): Advisory[] | null => {
  try {
    const { advisories } = JSON.parse(output) as { advisories?: Record<string, Advisory> }
    return advisories === undefined ? null : Object.values(advisories)
  } catch {
    return null
  }
}

const listFindings = (advisories: Advisory[]): string[] =>
  advisories
    .filter(({ severity }) => grave.has(severity))
    .map((one) => `${one.severity}: ${one.module_name} ${one.vulnerable_versions}: ${one.title} (${one.url})`)
    .toSorted()

/**
 * Asks the registry for known vulnerabilities of what Docket ships. Resolves after `withinMs` at the latest: a registry
 * that is away, slow, or has no such endpoint is `notRun`. Never rejects.
 */
export const knownVulnerabilities = (
  root: string,
  { registry, withinMs = limitMs }: AuditOptions = {},
): Promise<Audit> =>
  new Promise((resolve) => {
    const args = ['audit', '--prod', '--json', ...(registry === undefined ? [] : ['--registry', registry])]
    // Its own repeats would take more than a minute.
    const env = { ...process.env, PNPM_CONFIG_FETCH_RETRIES: '0' }
    execFile('pnpm', args, { cwd: root, env, timeout: withinMs, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const advisories = advisoriesIn(stdout)
      if (advisories !== null) resolve({ faults: listFindings(advisories) })
      else if (error?.killed === true) resolve({ notRun: `the registry did not answer within ${withinMs / 1000} s` })
      else resolve({ notRun: findReason(stderr) || 'the registry gave no report' })
    })
  })

type AuditOptions = { registry?: string; withinMs?: number }
