import type { CheckResult } from '#runners/runner.ts'

/** Result of the project's checks as lines for a pull request. Empty when none were run. */
export const describeChecks = (checks: CheckResult | null): string[] => {
  if (checks === null) return []
  const verdict = checks.passed ? 'Checks passed' : 'Checks failed'
  const output = checks.passed ? [] : checks.output.map((line) => `    ${line}`)
  return ['', `${verdict}: \`${checks.command.replaceAll('`', '')}\``, ...(output.length > 0 ? ['', ...output] : [])]
}
