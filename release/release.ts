import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasMmdebstrap } from './debian-root.ts'
import { openSignKey, writeKeys } from './key-files.ts'
import { makeRelease } from './make-release.ts'
import { readTask, usage, type ReleaseOptions } from './options.ts'
import { nodeVersion } from './platforms.ts'
import { ReleaseProblem, run } from './run.ts'

// `pnpm release`: what people carry to where Docket runs. `docs/releasing.md` says how.

const root = join(import.meta.dirname, '..')

const release = async (options: ReleaseOptions): Promise<void> => {
  if (process.versions.node !== nodeVersion)
    throw new ReleaseProblem(
      `A release is built with Node ${nodeVersion}, so that everybody gets the same bytes. This is ${process.versions.node}.`,
    )
  if (!options.ignoreChanges && (await run(root, ['git', 'status', '--porcelain'])) !== '')
    throw new ReleaseProblem(
      'Files are changed that are not committed. Commit them, or leave them out: --ignore-changes',
    )
  if (options.image && !(await hasMmdebstrap()))
    throw new ReleaseProblem(
      'The container image needs mmdebstrap: apt-get install mmdebstrap. Or build without it: --archive-only',
    )
  const key = options.signKey === null ? null : await openSignKey(options.signKey, options.passphraseFile)
  const work = mkdtempSync(join(tmpdir(), 'docket-release-'))
  const clean = () => rmSync(work, { recursive: true, force: true })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      clean()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  try {
    const files = await makeRelease(root, work, options, key, (line) => console.error(line))
    console.log(files.join('\n'))
    if (key === null) console.error('Not signed: name a key with --sign-key.')
  } finally {
    clean()
  }
}

try {
  // pnpm runs scripts in the root, and says where the person is.
  const task = readTask(process.argv.slice(2), process.env['INIT_CWD'] ?? '.')
  if (task.kind === 'help') console.log(usage)
  else if (task.kind === 'keys') console.log(await writeKeys(task.folder))
  else await release(task)
} catch (error) {
  if (!(error instanceof ReleaseProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
