import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toDigest } from './data-text.ts'

const root = join(import.meta.dirname, '../../..')

/** Digest of everything that affects rendering: the files of the exporter and its workspace packages, and the versions of all dependencies. */
export const computeExporterDigest = async (): Promise<string> => {
  const own = join(root, 'node_modules/@docket')
  const packages = [
    root,
    ...(await readdir(own).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1)).map((name) => join(own, name)),
  ]
  const files = [join(root, 'package.json'), join(root, '../../pnpm-lock.yaml')]
  for (const folder of packages) files.push(...(await listPrograms(join(folder, 'src'))))
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return toDigest(process.version, ...contents.map((text) => text.replaceAll('\r\n', '\n')))
}

const listPrograms = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const isProgram = (name: string) => /\.[jt]s$/.test(name) && !/\.test\.ts$|^assets\b|\/assets\//.test(name)
  return names
    .filter(isProgram)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => join(folder, name))
}
