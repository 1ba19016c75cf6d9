import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onEnd } from '#bench/harness/cleanup.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { readLayouts, type Layout } from '#proofs/harness/layouts.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'

// Git makes the pack in Docket's repository again, and renames it to the work folder.
const fault: Fault = {
  file: 'runners/agent-repository.ts',
  instead: "await own(['pack-objects'",
  write: "await gitIn(gitDir)(['pack-objects'",
}

const root = join(import.meta.dirname, '..', '..')
/** What Docket needs of a system; the rest is missing in a layout. */
const readable = [...'/usr /bin /sbin /lib /lib32 /lib64 /etc'.split(' '), root, dirname(process.execPath)]
/** Where the guide installs agents. */
const programDir = '/opt/docs-agent'
/** An ordinary user with a name, as PostgreSQL wants. */
const nobody = 65_534
/** Options that container engines give a `tmpfs` by default. */
const inMemory = 'mode=1777,nosuid,nodev,noexec'

/** Arguments that let every user pass through the folders above a mount point. */
const passTo = (path: string): string[] =>
  dirname(path) === '/' ? [] : [...passTo(dirname(path)), '--dir', dirname(path)]

/** Plays the short form of a proof as an ordinary user in the mounts of a layout. */
const playIn = async ({ readOnly, disk, memory, dataDir }: Layout, name: string, faults: readonly Fault[]) => {
  const folders = new Map([...disk, ...memory, programDir].map((path) => [path, temporaryFolder()]))
  for (const folder of folders.values()) chownSync(folder, nobody, nobody)
  const mounts = memory.map((path) => `mount -t tmpfs -o ${inMemory} tmpfs '${folders.get(path)!}';`)
  const { PATH = '' } = process.env
  const places = { HOME: dataDir, PROOF_DATA_DIR: dataDir, PROOF_PROGRAM_DIR: programDir }
  const environment = { PATH, ...places, ...plantedEnvironment(faults) }
  const words = [
    ...'bwrap --die-with-parent --cap-add ALL --clearenv --dev-bind /dev /dev --dev-bind /proc /proc'.split(' '),
    ...[...folders].flatMap(([path, folder]) => [...passTo(path), '--bind', folder, path]),
    ...readable.flatMap((folder) => [...passTo(folder), '--ro-bind-try', folder, folder]),
    ...(readOnly ? ['--remount-ro', '/'] : []),
    ...Object.entries(environment).flatMap(([variable, value]) => ['--setenv', variable, value]),
    ...`setpriv --reuid ${nobody} --regid ${nobody} --clear-groups --inh-caps -all --bounding-set -all --`.split(' '),
    process.execPath,
    join(root, 'proofs', 'harness', 'play.ts'),
    name,
    'quick',
  ]
  const playing = spawn('unshare', ['--mount', 'sh', '-ec', `${mounts.join('')} exec "$@"`, 'sh', ...words], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onEnd(() => void playing.kill('SIGKILL'))
  let output = ''
  for (const stream of [playing.stdout, playing.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(playing, 'close')) as [number | null]
  return { ok: code === 0, output: output.trim() }
}

/** The short forms of proofs that write in several folders, in the mounts of systemd, Compose and Kubernetes. */
export const proof: Proof = {
  name: 'deploy-mounts',
  bar: 'in the mounts of each deployment in deploy/, as an ordinary user: agent jobs, stored bundles and deliveries as elsewhere',
  fault,
  run: async ({ planted }) => {
    if (process.getuid?.() !== 0) throw new Error('Only root on Linux may mount the folders of a deployment.')
    const layouts = readLayouts()
    const names = planted ? ['agents'] : ['agents', 'storing', 'deliveries']
    const failures: string[] = []
    for (const layout of layouts)
      for (const name of names) {
        const { ok, output } = await playIn(layout, name, planted ? [fault] : [])
        if (planted ? output.includes('cross-device link') : !ok)
          failures.push(`${name} in the mounts of ${layout.name}: ${output}`)
      }
    const found = failures.map((line) => `\n  ${line}`).join('')
    return {
      // Planted, each layout must notice it.
      ok: failures.length < (planted ? layouts.length : 1),
      figure: `${layouts.length} layouts (${layouts.map(({ name }) => name).join('; ')}), ${names.join(', ')}: ${failures.length} failed${found}`,
    }
  },
}
