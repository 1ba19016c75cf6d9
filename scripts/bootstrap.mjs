/**
 * `npm start`, `npm test`, `pnpm prove`, `pnpm docket` with its short forms such as `pnpm backup`, and `pnpm site:export`
 * on a machine that has Node 20.19 and npm and nothing else: gets Node 24 and pnpm from the npm registry where they are
 * missing, installs, builds, and goes on in this process. Imports nothing that must be installed.
 */
import module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { become, whenParentIsGone } from './bootstrap/parent.mjs'
import { build, buildGuide, install, usePnpm } from './bootstrap/prepare.mjs'
import { endRunning } from './bootstrap/run-quietly.mjs'
import { findNode, isNewEnough, stepEnvironment } from './bootstrap/tools.mjs'

const entries = {
  start: 'apps/bff/src/main.ts',
  docket: 'apps/bff/src/docket.ts',
  test: 'scripts/test.ts',
  prove: 'proofs/prove.ts',
  'site:export': 'packages/site-exporter/src/site-export.ts',
}

const self = fileURLToPath(import.meta.url)
const root = dirname(dirname(self))
/** Says that an older Node started this process and speaks for it. */
const startedByOlderNode = '--for-older-node'
const [task = '', ...given] = process.argv.slice(2)
const isChild = given[0] === startedByOlderNode
const args = isChild ? given.slice(1) : given

const startsDocket = task === 'start' || (task === 'docket' && args[0] === 'start')

const say = (sentence) => process.stderr.write(`docket: ${sentence}\n`)

const stopWhilePreparing = (signal) => {
  endRunning()
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

const main = async () => {
  if (!(task in entries))
    throw new Error('docket: use `npm start`, `npm test`, `pnpm prove`, `pnpm docket` or `pnpm site:export`.')
  process.on('SIGINT', stopWhilePreparing).on('SIGTERM', stopWhilePreparing)
  if (!isNewEnough(process.version)) {
    if (isChild) throw new Error(`docket: ${process.version} cannot run Docket. Install Node 24 and try again.`)
    const node = await findNode(root, say)
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
    process.exitCode = await become(node, [self, task, startedByOlderNode, ...args])
    return
  }
  // Started by hand in the background, the parent may go away on purpose.
  if (isChild || process.env.npm_lifecycle_event !== undefined)
    whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'))
  process.env.PATH = stepEnvironment().PATH
  await install(root, say)
  // Turbo and the checks of the lockfile start pnpm; nothing else does.
  if (task === 'test') await usePnpm(root)
  // Together they take hardly longer than the page alone.
  if (startsDocket || task === 'prove') await Promise.all([build(root, say), buildGuide(root, say)])
  process.off('SIGINT', stopWhilePreparing).off('SIGTERM', stopWhilePreparing)
  // Before the first TypeScript file: with everything in the cache, Node does not even load what strips types (20 MB).
  if (startsDocket || (task === 'docket' && args[0] === 'worker'))
    module.enableCompileCache(`${root}/apps/bff/node_modules/.cache/compiled`)
  const entry = `${root}/${entries[task]}`
  // As if it had been started itself.
  process.argv.splice(1, process.argv.length, entry, ...args)
  await import(pathToFileURL(entry).href)
}

try {
  await main()
} catch (error) {
  // A failure of a step explains itself; anything else is a defect, whose place helps.
  process.stderr.write(
    `${error.name === 'StepFailed' || error.message?.startsWith('docket:') ? error.message : error.stack}\n`,
  )
  process.exit(1)
}
