import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toDigest } from './data-text.ts'

const root = join(import.meta.dirname, '../../..')

/** Digest of everything that affects rendering: the files of the exporter and its workspace packages, and the versions of all dependencies. */
export const computeExporterDigest = (): string => {
  const own = join(root, 'node_modules/@docket')
  const packages = [root, ...listNames(own, false).map((name) => join(own, name))]
  const files = [join(root, 'package.json'), join(root, '../../pnpm-lock.yaml')]
  for (const folder of packages) files.push(...listPrograms(join(folder, 'src')))
  // Synchronous, because each hop to another thread costs more than reading a small file.
  const contents = files.map((file) => orElse('', () => readFileSync(file, 'utf8')))
  return toDigest(process.version, ...contents.map((text) => text.replaceAll('\r\n', '\n')))
}

const listPrograms = (folder: string): string[] => {
  const isProgram = (name: string) => /\.[jt]s$/.test(name) && !/\.test\.ts$|^assets\b|\/assets\//.test(name)
  return listNames(folder)
    .filter(isProgram)
    .map((name) => join(folder, name))
}

const listNames = (folder: string, recursive = true): string[] =>
  orElse([], () => readdirSync(folder, { recursive, encoding: 'utf8' })).toSorted((a, b) => (a < b ? -1 : 1))

const orElse = <Value>(otherwise: Value, read: () => Value): Value => {
  try {
    return read()
  } catch {
    return otherwise
  }
}
