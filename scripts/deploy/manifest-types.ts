import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An object of Kubernetes as its file has it. */
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string } }

const root = join(import.meta.dirname, '..', '..')

/** Kinds that belong to an operator, so that Kubernetes has no types of them. */
const foreign = new Set(['ServiceMonitor'])

/** Path of the types of an API version: `apps/v1`, and `core/v1` for `v1`. */
const toTypes = (apiVersion: string): string => {
  const [group = '', version] = apiVersion.split('/')
  return version === undefined ? `core/${group}` : `${group.replace(/\..*$/, '')}/${version}`
}

/**
 * Compares objects with the types of Kubernetes 1.30, by the TypeScript compiler: unknown fields, missing fields and
 * wrong types. Returns what the compiler says, one problem a line.
 */
export const findTypeErrors = (manifests: readonly Manifest[]): Promise<string[]> => {
  const known = manifests.filter(({ kind }) => !foreign.has(kind))
  const lines = known.map(({ apiVersion, kind }, at) => {
    const types = JSON.stringify(join(root, 'node_modules', 'kubernetes-types', toTypes(apiVersion)))
    return `export const ${kind}${at}: import(${types}).${kind} = ${JSON.stringify(known[at])}`
  })
  const folder = mkdtempSync(join(tmpdir(), 'docket-manifests-'))
  const file = join(folder, 'manifests.ts')
  writeFileSync(file, lines.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules', '.bin', 'tsc'), [...options, '--ignoreConfig', file], (error, stdout) => {
      rmSync(folder, { recursive: true, force: true })
      const problems = stdout.split('\n').filter((line) => line.includes('error'))
      resolve(error !== null && problems.length === 0 ? [error.message] : problems)
    })
  })
}
