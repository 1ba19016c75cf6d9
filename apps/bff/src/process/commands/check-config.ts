import { parseArgs } from 'node:util'
import { checkAll } from './check/check.ts'
import type { Finding } from './check/finding.ts'
import type { Command } from './command.ts'

const headings = [
  ['wrong', 'Wrong: correct it before you start Docket.'],
  ['unwise', 'Unwise: Docket starts, but change it.'],
  ['fine', 'Fine: what Docket uses.'],
] as const

export const formatFindings = (findings: readonly Finding[]): string =>
  headings
    .flatMap(([level, heading]) => {
      const texts = findings.filter((finding) => finding.level === level).map(({ text }) => `  - ${text}`)
      return texts.length === 0 ? [] : [[heading, ...texts].join('\n')]
    })
    .join('\n\n')

/** Reports every error and warning about this environment before a start. */
export const checkConfig: Command = async ({ args, env, print }) => {
  const { values } = parseArgs({
    args,
    options: { reach: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  })
  const findings = await checkAll(env, values)
  if (values.json) print(JSON.stringify(findings, null, 2))
  else {
    print(formatFindings(findings))
    if (!values.reach) print('\nNothing was connected to. --reach also checks the services that the settings name.')
  }
  return findings.some(({ level }) => level === 'wrong') ? 1 : 0
}
