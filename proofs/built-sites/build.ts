import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import type { SiteFiles } from '#bench/harness/hosted-site.ts'
import type { SourceSite } from './sites.ts'

const run = promisify(execFile)
/** Longest time for the registry, and for one build. Milliseconds. */
const [installMs, buildMs] = [600_000, 600_000]

/** A site as its tool wrote it. */
export type BuiltSite = { name: string; mount: string; files: SiteFiles }

export const readFolder = (folder: string): SiteFiles =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file)]),
  )

/** Lets a tool from npm build its site in `folder`, where only the tool itself stays from earlier. Rejects with what the tool printed. */
export const buildSite = async ({ name, mount, tool, files }: SourceSite, folder: string): Promise<BuiltSite> => {
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync(folder))
    if (entry !== 'node_modules') rmSync(join(folder, entry), { recursive: true, force: true })
  const own = { private: true, dependencies: tool.packages }
  for (const [path, content] of Object.entries({ ...files, 'package.json': JSON.stringify(own) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', install, { cwd: folder, env: process.env, timeout: installMs })
  const env = { ...plainEnvironment(), CI: '1', NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  await run('npx', ['--no', '--', ...tool.command], { cwd: folder, env, timeout: buildMs, maxBuffer: 64 * 2 ** 20 })
  return { name, mount, files: readFolder(join(folder, tool.output)) }
}
