import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { launchFlags, ownPages } from '#e2e/support/launch-flags.ts'

type Found = string | undefined
type Place = { name: string; find: () => Found | Promise<Found> }

const run = promisify(execFile)
const limitMs = 5 * 60_000

const onPath = (names: readonly string[]): Found =>
  names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find((file) => existsSync(file))

const system = () =>
  onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) ??
  [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ].find((file) => existsSync(file))

const fromPlaywright = async (): Promise<Found> => {
  // The package forbids deep imports, so its own command is found beside its main file.
  const cli = join(dirname(new URL(import.meta.resolve('@playwright/test')).pathname), 'cli.js')
  await run(process.execPath, [cli, 'install', 'chromium'], { timeout: limitMs })
  return chromium.executablePath()
}

const npmChromium = '@sparticuz/chromium@153.0.0'

/**
 * Unpacks a Chromium that is shipped inside a package of the npm registry. Kept in a cache of the user, not in the
 * repository.
 */
const fromNpm = async (): Promise<Found> => {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'docket-tests')
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', cache, npmChromium], {
    timeout: limitMs,
  })
  const unpack = `import chromium from '@sparticuz/chromium'; console.log(await chromium.executablePath())`
  // It unpacks into the folder for temporary files, where another user may have left one that this user may not start.
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: cache,
    env: { ...process.env, TMPDIR: cache },
    timeout: limitMs,
  })
  return stdout.trim().split('\n').at(-1)
}

const fromDebian = async (): Promise<Found> => {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { timeout: limitMs, env })
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { timeout: limitMs, env })
  return system()
}

const places: readonly Place[] = [
  { name: "Playwright's own Chromium", find: () => chromium.executablePath() },
  { name: 'a Chromium or Chrome of this machine', find: system },
  { name: '`playwright install chromium`', find: fromPlaywright },
  { name: `${npmChromium} from npm`, find: fromNpm },
  { name: '`apt-get install chromium`', find: fromDebian },
]

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

const launches = async (executablePath: string): Promise<void> => {
  const browser = await chromium.launch({ executablePath, args: launchFlags, timeout: 300_000 })
  await browser.close()
}

/** Every feature to switch off in a Chromium: those that Playwright switches off, and its own pages. */
export const listDisabledFeatures = async (executablePath: string): Promise<string> => {
  const browser = await chromium.launch({ executablePath, args: launchFlags, timeout: 300_000 })
  const session = await browser.newBrowserCDPSession()
  const { commandLine } = await session.send('SystemInfo.getInfo')
  await browser.close()
  const byPlaywright = /--disable-features=(\S+)/.exec(commandLine)?.[1]
  if (byPlaywright === undefined) throw new Error(`no feature is switched off in: ${commandLine}`)
  return [byPlaywright, ...ownPages].join(',')
}

/** Why a place gives no browser; null after it was found and has really started, with its path in `use`. */
const tryPlace = async ({ name, find }: Place, use: (path: string) => void): Promise<string | null> => {
  try {
    const path = await find()
    if (path === undefined || !existsSync(path)) return `${name}: not there`
    await launches(path)
    use(path)
    return null
  } catch (error) {
    return `${name}: ${firstLine(error)}`
  }
}

/**
 * Path of a Chromium that starts on this machine; gets one when there is none. Throws with every place that was tried.
 */
export const findBrowser = async (): Promise<string> => {
  const executable = process.env.E2E_CHROMIUM
  const reasons: string[] = []
  for (const place of executable ? [{ name: `E2E_CHROMIUM (${executable})`, find: () => executable }] : places) {
    let found: Found
    const reason = await tryPlace(place, (path) => (found = path))
    if (found !== undefined) return found
    if (reason !== null) reasons.push(`  ${reason}`)
  }
  throw new Error(
    `no Chromium starts on this machine. Install one, or set E2E_CHROMIUM to the path of one. Tried:\n${reasons.join('\n')}`,
  )
}
