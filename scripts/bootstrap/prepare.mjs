import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './run-quietly.mjs'
import { hashFiles, manifests, readStamp, writeStamp } from './stamps.mjs'
import { findPnpm, stepEnvironment } from './tools.mjs'

// Every native package has the stable interface of Node, so another Node needs no other packages.
const packagesFrom = (root) => hashFiles(root, manifests(root), [process.platform, process.arch])

/** Installs the packages of the lockfile. Nothing happens when no manifest changed since the last time. */
export const install = async (root, say) => {
  const wanted = packagesFrom(root)
  if (readStamp(root, 'installed') === wanted) return
  const first = !existsSync(join(root, 'node_modules', '.modules.yaml'))
  await usePnpm(root)
  say(first ? 'Installing packages. This takes up to a minute …' : 'Installing changed packages …')
  await runQuietly(
    'installing the packages',
    'The first run needs the npm registry. Check the network, then run the command again. If it still fails, delete node_modules first.',
    // By pnpm's own times, a machine without a network hears so after 70 seconds.
    ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline', '--config.fetchRetryMaxtimeout=3000'],
    { cwd: root, env: stepEnvironment() },
  )
  writeStamp(root, 'installed', wanted)
}

/** Builds the web app into `apps/web/dist`. Nothing happens when no source changed since the last time. */
export const build = async (root, say) => {
  const wanted = hashFiles(root, [
    'apps/web',
    'packages/api-types/src',
    'CHANGELOG.md',
    'pnpm-lock.yaml',
    'tsconfig.base.json',
  ])
  if (readStamp(root, 'built') === wanted && existsSync(join(root, 'apps/web/dist/index.html'))) return
  say('Building the web app …')
  await runQuietly(
    'building the web app',
    'The message above says where. If you changed nothing, delete node_modules and run the command again.',
    [process.execPath, 'node_modules/vite/bin/vite.js', 'build'],
    { cwd: join(root, 'apps/web'), env: stepEnvironment() },
  )
  writeStamp(root, 'built', wanted)
}

/**
 * Exports the user guide into `apps/bff/dist/guide`, for *Help*. Nothing happens when no source changed since the last
 * time. Never fails, because Docket runs without its guide.
 */
export const buildGuide = async (root, say) => {
  const packages = ['site-exporter', 'mdx-language', 'sources', 'site-bundle', 'artifact-store']
  try {
    const wanted = hashFiles(root, [
      'docs/guide',
      'scripts/build-guide.ts',
      ...packages.map((name) => `packages/${name}/src`),
      'package.json',
      'pnpm-lock.yaml',
    ])
    if (readStamp(root, 'guide') === wanted && existsSync(join(root, 'apps/bff/dist/guide'))) return
    say('Building the user guide …')
    await runQuietly(
      'building the user guide',
      'Docket starts without it, and Help has no pages.',
      [process.execPath, 'scripts/build-guide.ts'],
      { cwd: root, env: stepEnvironment() },
    )
    writeStamp(root, 'guide', wanted)
  } catch (error) {
    say(error.message)
  }
}

/** Puts the pinned pnpm and this Node in front of the path, for this process and everything it starts. */
export const usePnpm = async (root) => {
  const folder = await findPnpm(root)
  process.env.PATH = `${folder}${process.platform === 'win32' ? ';' : ':'}${stepEnvironment().PATH}`
}
