import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { withFault, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { findTypeErrors } from '#scripts/deploy/manifest-types.ts'
import { parseManifests } from '#scripts/deploy/manifests.ts'

/** Highest exposure that `systemd-analyze security` may find, in tenths: 0 is the best, 100 the worst. */
const maxExposure = 20

// One for each tool.
const fault: Fault = {
  file: 'deploy/systemd/docket.service',
  instead: 'ProtectSystem=strict',
  write: 'ProtectSystem=everything',
}

type Run = { code: number | null; output: string }

/** Runs a program to its end. Its exit code is null when it isn't installed. */
const run = (program: string, args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const env = { ...plainEnvironment(), PATH: `${process.env.PATH ?? ''}:/usr/sbin` }
    execFile(program, args, { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ code, output: error?.code === 'ENOENT' ? '' : stdout + stderr })
    })
  })

/** A check of some files: what is wrong with them, or null when its tool isn't installed. */
type Check = (folder: string) => Promise<string[] | null>

const firstProblem = ({ code, output }: Run): string[] | null =>
  code === null ? null : code === 0 ? [] : [output.trim().split('\n').slice(-3).join(' ').slice(0, 300)]

/** Units by name, from a file and what is added to it. */
const units = {
  'docket.service': ['docket.service'],
  'docket-worker.service': ['docket.service', 'worker.conf'],
}

const checkUnit: Check = async (folder) => {
  const problems: string[] = []
  mkdirSync(join(folder, 'unit'))
  for (const [name, files] of Object.entries(units)) {
    const unit = join(folder, 'unit', name)
    const text = files.map((file) => readFileSync(join(folder, 'systemd', file), 'utf8')).join('\n')
    // The release isn't installed here.
    writeFileSync(unit, text.replaceAll('/opt/docket/docket', '/bin/true'))
    const found = await checkOneUnit(unit)
    if (found === null) return null
    problems.push(...found)
  }
  return problems
}

const checkOneUnit = async (unit: string): Promise<string[] | null> => {
  const verified = await run('systemd-analyze', ['verify', '--man=no', unit])
  if (verified.code === null) return null
  const security = ['security', '--offline=true', `--threshold=${maxExposure}`, unit]
  const rated = firstProblem(await run('systemd-analyze', security)) ?? []
  // It ignores what it doesn't know, and says so.
  return [...(verified.output === '' ? [] : [verified.output.trim()]), ...rated]
}

const checkCompose: Check = async (folder) => {
  const plugin = await run('docker', ['compose', 'version'])
  const problems: string[] = []
  for (const names of [['compose.yaml'], ['compose.yaml', 'workers.yaml']]) {
    const files = names.flatMap((name) => ['-f', join(folder, 'compose', name)])
    const args = [...files, '--profile', 'caddy', 'config', '-q']
    const problem = firstProblem(
      await (plugin.code === 0 ? run('docker', ['compose', ...args]) : run('docker-compose', args)),
    )
    if (problem === null) return null
    problems.push(...problem)
  }
  return problems
}

const checkOverlays: Check = async (folder) => {
  const problems: string[] = []
  for (const name of ['production', 'small', 'workers']) {
    const overlay = join(folder, 'kubernetes', 'overlays', name)
    const rendered = await run('kubectl', ['kustomize', overlay])
    const problem = firstProblem(rendered)
    if (problem === null) return null
    problems.push(...problem)
    if (problem.length > 0) continue
    const errors = await findTypeErrors(parseManifests(rendered.output))
    problems.push(...errors.map((error) => `${name}: ${error.replace(/^.*error /, '')}`))
  }
  return problems
}

const checkRules: Check = async (folder) => {
  const check = firstProblem(await run('promtool', ['check', 'rules', join(folder, 'prometheus', 'rules.yaml')]))
  if (check === null || check.length > 0) return check
  return firstProblem(await run('promtool', ['test', 'rules', join(folder, 'prometheus', 'rules.test.yaml')]))
}

const checks: Readonly<Record<string, Check>> = {
  'systemd-analyze': checkUnit,
  'docker-compose': checkCompose,
  'kubectl kustomize': checkOverlays,
  promtool: checkRules,
}

/** Checks the files of `deploy/` with the tools they are for, as far as they are installed. */
export const proof: Proof = {
  name: 'deploy-files',
  bar: 'systemd, Compose, kustomize with the types of Kubernetes, and Prometheus find nothing wrong with the files of deploy/; tools that are not installed are named',
  fault,
  run: async ({ planted }) => {
    const root = join(import.meta.dirname, '..', '..')
    const folder = temporaryFolder()
    cpSync(join(root, 'deploy'), folder, { recursive: true })
    if (planted) {
      const file = join(folder, fault.file.replace('deploy/', ''))
      writeFileSync(file, withFault(readFileSync(file, 'utf8'), fault))
    }
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => ({ name, problems: await check(folder) })),
    )
    const missing = results.filter(({ problems }) => problems === null).map(({ name }) => name)
    const ran = results.length - missing.length
    if (ran === 0) throw new Error(`Install some of its tools first: ${missing.join(', ')}`)
    const bad = results.filter(({ problems }) => (problems?.length ?? 0) > 0)
    const detail = bad.map(({ name, problems }) => `${name}: ${problems?.[0]}`).join('; ')
    return {
      ok: bad.length === 0,
      figure: `${ran - bad.length} of ${ran} tools find nothing wrong${missing.length === 0 ? '' : `, not run: ${missing.join(', ')}`}${detail === '' ? '' : ` (${detail})`}`,
    }
  },
}
