import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const limitMs = 5 * 60_000

const isInstalled = () =>
  run('bwrap', ['--version']).then(
    () => true,
    () => false,
  )

/**
 * Installs bubblewrap on Debian as root, once before all tests. Elsewhere, or when that fails, the tests that need it
 * are skipped and say why.
 */
export const setup = async (): Promise<void> => {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || (await isInstalled())) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run('apt-get', ['update'], { timeout: limitMs, env })
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'bubblewrap'], { timeout: limitMs, env })
  } catch (error) {
    process.stderr.write(
      `bubblewrap could not be installed: ${error instanceof Error ? error.message : String(error)}\n`,
    )
  }
}
