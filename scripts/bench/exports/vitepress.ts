import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { plainEnvironment } from '#scripts/bench/harness/processes.ts'

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

/** VitePress, installed once from the npm registry; `build` runs its own build of a folder of pages, with its own search, and gives the seconds it took. */
export const installVitePress = async (
  folder: string,
): Promise<{ version: string; build: (pages: string, count: number) => Promise<number> }> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', `vitepress@${version}`], {
    cwd: folder,
    env: plainEnvironment(),
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
      const begun = performance.now()
      await run(process.execPath, [program, 'build', pages], { env: plainEnvironment(), maxBuffer: 64 * 2 ** 20 })
      const seconds = (performance.now() - begun) / 1000
      const dist = join(own, 'dist')
      if (!statSync(dist).isDirectory() || htmlFilesIn(dist) < count) throw new Error('VitePress built fewer pages.')
      return seconds
    },
  }
}
