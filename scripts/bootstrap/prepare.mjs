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

/** Puts the pinned pnpm and this Node in front of the path, for this process and everything it starts. */
export const usePnpm = async (root) => {
  const folder = await findPnpm(root)
  process.env.PATH = `${folder}${process.platform === 'win32' ? ';' : ':'}${stepEnvironment().PATH}`
}
