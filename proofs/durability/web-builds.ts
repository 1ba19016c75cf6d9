import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const web = join(import.meta.dirname, '..', '..', 'apps', 'web')
const run = promisify(execFile)

/** Builds the web app into a folder of its own. Other `options` of Vite give every script another content and name. */
export const buildWebApp = async (options: readonly string[] = []): Promise<string> => {
  const folder = temporaryFolder()
  const vite = join(web, 'node_modules', 'vite', 'bin', 'vite.js')
  await run(process.execPath, [vite, 'build', '--outDir', folder, '--emptyOutDir', ...options], {
    cwd: web,
    env: plainEnvironment(),
  })
  return folder
}

/** Two builds without building twice: that of the checkout, and a copy in which every hashed file has another name. */
export const copyBuilds = async (): Promise<string[]> => {
  const dist = join(web, 'dist')
  const own = existsSync(dist) ? dist : await buildWebApp()
  const other = temporaryFolder()
  cpSync(own, other, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) })
  const rename = (text: string) =>
    text.replaceAll(/(?<=-)[\w-]{8}(?=\.(js|css|woff2)\b)/g, (hash) => hash.slice(4) + hash.slice(0, 4))
  for (const path of globSync('**/*.{html,js,css,woff2}', { cwd: other })) {
    const file = join(other, path)
    if (!path.endsWith('.woff2')) writeFileSync(file, rename(readFileSync(file, 'latin1')), 'latin1')
    renameSync(file, join(other, rename(path)))
  }
  return [own, other]
}

/** Makes a Docket serve this build instead of that of the checkout. */
export const serveBuild = (folder: string): Fault => ({
  file: 'bff/src/process/start/start.ts',
  instead: "join(import.meta.dirname, '..', '..', '..', '..', 'web', 'dist')",
  write: JSON.stringify(folder),
})

/** A page with everything it can load: its own address, and why it broke, or null. */
export type PageLoad = { build: string; files: number; problem: string | null }

const named = /["'`(](?:\.\/|\/?assets\/|\/assets\/)([\w.-]+-[\w-]{8}\.(?:js|css|woff2))/g
const findNames = (text: string) => [...text.matchAll(named)].map(([, name]) => `/assets/${name}`)

/** Loads the hashed files that `names` lead to. Returns their number, and what went wrong first. */
export const loadFiles = async (url: string, names: readonly string[]): Promise<Omit<PageLoad, 'build'>> => {
  const seen = new Set(names)
  const problems: string[] = []
  const load = async (path: string): Promise<void> => {
    const response = await fetch(url + path).catch(String)
    if (typeof response === 'string') return void problems.push(`${path}: ${response}`)
    const text = await response.text()
    if (response.status !== 200) return void problems.push(`${path}: ${response.status} ${text.slice(0, 80)}`)
    if (!/\.(js|css)$/.test(path)) return
    const further = findNames(text).filter((name) => !seen.has(name))
    for (const name of further) seen.add(name)
    await Promise.all(further.map(load))
  }
  await Promise.all([...seen].map(load))
  return { files: seen.size, problem: problems[0] ?? null }
}

/** Loads the page as a browser does that opens every part of it. Names its build by its first script. */
export const loadPage = async (url: string): Promise<PageLoad & { names: string[] }> => {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  const names = findNames(await response.text())
  const build = names.find((name) => name.endsWith('.js')) ?? `no script, ${response.status}`
  return { build, names, ...(await loadFiles(url, names)) }
}
