import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { endedChildrenSeconds } from '#bench/harness/usage.ts'

const run = promisify(execFile)
/** Pinned here and nowhere else: nothing but this comparison uses it. */
const version = '1.6.4'

const configuration = (pages: number) => `export default {
  title: 'Benchmark',
  description: 'The same pages',
  themeConfig: {
    search: { provider: 'local' },
    sidebar: Array.from({ length: Math.ceil(${pages} / 25) }, (_, part) => ({
      text: 'Part ' + part,
      collapsed: true,
      items: Array.from({ length: Math.min(25, ${pages} - part * 25) }, (_, place) => ({
        text: 'Page ' + (part * 25 + place),
        link: '/part-' + part + '/page-' + (part * 25 + place),
      })),
    })),
  },
}
`

const htmlFilesIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.html')).length

/** Longest time for the registry, and for one build. Milliseconds. */
const [installMs, buildMs] = [180_000, 900_000]

/** Duration of one build. Seconds. */
export type Built = { seconds: number; cpuSeconds: number }

/**
 * VitePress, installed once from the npm registry; `build` runs its own build of a folder of pages, with its own
 * search. Rejects when the registry does not answer.
 */
export const installVitePress = async (
  folder: string,
): Promise<{ version: string; build: (pages: string, count: number) => Promise<Built> }> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `vitepress@${version}`], {
    cwd: folder,
    env: process.env,
    timeout: installMs,
  })
  const program = join(folder, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
  return {
    version,
    build: async (pages, count) => {
      const own = join(pages, '.vitepress')
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, 'config.mjs'), configuration(count))
      const modules = join(pages, 'node_modules')
      if (!existsSync(modules)) symlinkSync(join(folder, 'node_modules'), modules)
      rmSync(join(own, 'dist'), { recursive: true, force: true })
      rmSync(join(own, 'cache'), { recursive: true, force: true })
      const used = () => endedChildrenSeconds(process.pid)
      const [startMs, usedBefore] = [performance.now(), used()]
      await run(process.execPath, [program, 'build', pages], {
        env: plainEnvironment(),
        maxBuffer: 64 * 2 ** 20,
        timeout: buildMs,
      })
      const built = { seconds: (performance.now() - startMs) / 1000, cpuSeconds: used() - usedBefore }
      const dist = join(own, 'dist')
      if (!statSync(dist).isDirectory() || htmlFilesIn(dist) < count) throw new Error('VitePress built fewer pages.')
      return built
    },
  }
}
