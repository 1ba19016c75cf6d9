import { join } from 'node:path'
import { knownVulnerabilities } from './known-vulnerabilities.ts'
import { licenceFaults } from './licences.ts'
import { lockfileFaults } from './lockfile.ts'
import { secretFaults } from './secrets.ts'

// `node scripts/supply/check.ts <name>`: prints what is wrong, one fault a line, and ends with 1 when something is.
// What could not be checked is said in a line that begins with `not run: `.
const root = join(import.meta.dirname, '..', '..')

const checks: Record<string, () => Promise<string[]>> = {
  secrets: () => secretFaults(root),
  lockfile: async () => lockfileFaults(root),
  licences: async () => licenceFaults(root),
  vulnerabilities: async () => {
    const audit = await knownVulnerabilities(root)
    if ('faults' in audit) return audit.faults
    console.log(`not run: ${audit.notRun}`)
    return []
  },
}

const check = checks[process.argv[2] ?? '']
if (check === undefined) throw new Error(`Name one of: ${Object.keys(checks).join(', ')}`)
const faults = await check()
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1
