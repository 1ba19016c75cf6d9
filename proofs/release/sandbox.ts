import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** User that owns nothing of this machine. */
export const stranger = 12_345

/** Libraries of glibc and of the compiler that Node and PostgreSQL name, beside the loader. */
const libraries = [
  'libc.so.6',
  'libdl.so.2',
  'libm.so.6',
  'libpthread.so.0',
  'librt.so.1',
  'libgcc_s.so.1',
  'libstdc++.so.6',
]
const libraryFolder = '/lib/x86_64-linux-gnu'

/**
 * Fills a folder with the least that Docket needs of a system: glibc, libstdc++, `/etc/passwd`, and the shell that
 * PostgreSQL and the launcher start. No Node, no npm, no certificates, no tools.
 */
export const buildBareRoot = async (root: string): Promise<void> => {
  for (const folder of [libraryFolder, '/lib64', '/bin', '/etc', '/opt/docket', '/data', '/tmp', '/proc', '/dev'])
    await mkdir(join(root, folder), { recursive: true })
  for (const name of libraries)
    await copyFile(await realpath(join(libraryFolder, name)), join(root, libraryFolder, name))
  await copyFile(await realpath('/lib64/ld-linux-x86-64.so.2'), join(root, '/lib64/ld-linux-x86-64.so.2'))
  await chmod(join(root, '/lib64/ld-linux-x86-64.so.2'), 0o755)
  await copyFile(await realpath('/bin/sh'), join(root, '/bin/dash'))
  await symlink('dash', join(root, '/bin/sh'))
  await writeFile(join(root, '/etc/passwd'), `docket:x:${stranger}:${stranger}::/data:/bin/sh\n`)
}

/** What a trial of Docket saw. */
export type Trial = {
  problem?: string
  readyMs?: number
  page?: boolean
  state?: string
  bundleBytes?: number
  isGzip?: boolean
  exitCode: number | null
  uid?: number
}

/** A Docket to start: its root, folders to add to it, who runs it, and how. */
export type Sandbox = {
  root: string
  binds: readonly (readonly [from: string, to: string])[]
  data: string
  user: number
  environment: Readonly<Record<string, string>>
  node: string
  command: readonly string[]
}

const admin = { SETUP_ADMIN_EMAIL: 'ada@example.com', SETUP_ADMIN_PASSWORD: 'trellis onion 7 marble quay' }

/**
 * Starts it without a network and without capabilities. Everything but `/data` and `/tmp` is read-only. Resolves with
 * what it saw, and everything that was printed.
 */
export const tryInSandbox = async ({
  root,
  binds,
  data,
  user,
  environment,
  node,
  command,
}: Sandbox): Promise<{ seen: Trial; output: string }> => {
  await mkdir(data, { mode: 0o700 })
  if (process.getuid?.() === 0) await chown(data, user, user)
  const player = join(import.meta.dirname, 'trial.ts')
  const set = Object.entries({ ...environment, ...admin, LOG_LEVEL: 'info' })
  const inside = `/tmp/${basename(player)}`
  const alone = '--unshare-all --unshare-user --die-with-parent --new-session --cap-drop ALL --clearenv'
  const args = [
    ...`${alone} --uid ${user} --gid ${user}`.split(' '),
    '--ro-bind',
    root,
    '/',
    ...binds.flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...'--proc /proc --dev /dev --tmpfs /tmp'.split(' '),
    '--bind',
    data,
    '/data',
    '--ro-bind',
    player,
    inside,
    ...set.flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    node,
    inside,
    ...command,
  ]
  const asUser = process.getuid?.() === 0 ? { uid: user, gid: user } : {}
  const { stdout, stderr } = await run('bwrap', args, { ...asUser, cwd: '/', maxBuffer: 64 << 20 })
  const output = `${stdout}${stderr}`
  return { seen: JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Trial, output }
}

/** Unpacks an archive. */
export const unpack = async (file: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await run('tar', [file.endsWith('.zst') ? '--zstd' : '--auto-compress', '-xf', file, '-C', folder])
  await chmod(dirname(folder), 0o755)
}
