import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, gitAt } from '@docket/sources/testing/git-server'
import { expect, onTestFinished, test } from 'vitest'
import { commitChange, readSummary } from './commit-change.ts'
import { defaultRules, type RepositoryRules, type Requester } from './repository-rules.ts'

const author = { name: 'Docs bot', email: 'bot@example.com' }
const committer = { name: 'Docket', email: 'docket@example.com' }

const repository = async () => {
  const place = await temporaryFolder()
  const gitDir = await bareRepository(join(place, 'x.git'), { 'a.md': 'a\n' })
  const commit = (rules: Partial<RepositoryRules>, requester: Requester | null = null) =>
    commitChange(
      gitIn(gitDir),
      {
        tree: gitAt(gitDir, ['rev-parse', 'main^{tree}']),
        parents: [gitAt(gitDir, ['rev-parse', 'main'])],
        title: 'Fix links',
        summary: 'Fixed 2 links.',
        requester,
      },
      { ...defaultRules, author, committer, ...rules },
    )
  const createKey = (name: string, passphrase = '') => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(place, name)])
    return join(place, name)
  }
  return { place, gitDir, commit, createKey }
}

test('a commit has its author, committer, the requesting person as co-author, and a sign-off', async () => {
  const { gitDir, commit } = await repository()
  const ana = { name: 'Ana <a@b>\nSigned-off-by: x', email: 'ana@example.com' }
  const hash = await commit({ signOff: true, requester: 'co-author' }, ana)
  expect(gitAt(gitDir, ['log', '-1', '--format=%an <%ae>|%cn <%ce>|%B', hash])).toBe(
    `Docs bot <bot@example.com>|Docket <docket@example.com>|Fix links

Fixed 2 links.

Co-authored-by: Ana a@b Signed-off-by: x <ana@example.com>
Signed-off-by: Docs bot <bot@example.com>`,
  )
  expect(gitAt(gitDir, ['log', '-1', '--format=%(trailers:key=Signed-off-by,valueonly)', hash])).toBe(
    'Docs bot <bot@example.com>',
  )
  expect(await readSummary(gitIn(gitDir), hash)).toEqual(['Fixed 2 links.'])
  for (const requester of ['none', 'name'] as const)
    expect(gitAt(gitDir, ['log', '-1', '--format=%B', await commit({ requester }, ana)])).not.toContain('ana@')
})

test('a commit is signed with the SSH key, and git verifies the signature', async () => {
  const { gitDir, commit, createKey, place } = await repository()
  const key = createKey('key')
  const allowed = join(place, 'allowed')
  await writeFile(allowed, `${author.email} ${await readFile(`${key}.pub`, 'utf8')}`)
  const verify = (hash: string) =>
    gitAt(gitDir, ['-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'log', '-1', '--format=%G? %GS', hash])
  const hash = await commit({ signingKeyFile: key })
  expect(verify(hash)).toBe('G bot@example.com')
  gitAt(gitDir, ['-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'verify-commit', hash])
  expect(verify(await commit({}))).toBe('N')
  expect(verify(await commit({ signingKeyFile: createKey('other') }))).not.toContain('G bot')
})

test('an unusable signing key is reported with how to fix it, and nothing is committed', async () => {
  const { commit, createKey, place } = await repository()
  const sign = (signingKeyFile: string) => commit({ signingKeyFile })
  await expect(sign(createKey('locked', 'secret'))).rejects.toThrow('has a passphrase')
  await expect(sign(join(place, 'missing'))).rejects.toThrow('AGENT_COMMIT_SIGNING_KEY_FILE cannot be read')
  const open = createKey('open')
  await chmod(open, 0o644)
  await expect(sign(open)).rejects.toThrow('chmod 600')
  await writeFile(join(place, 'text'), 'no key\n', { mode: 0o600 })
  await expect(sign(join(place, 'text'))).rejects.toThrow('is no private SSH key')
  // A machine with git and without OpenSSH.
  const bin = join(place, 'bin')
  await mkdir(bin)
  await symlink(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(bin, 'git'))
  const { PATH } = process.env
  onTestFinished(() => void (process.env.PATH = PATH))
  const key = createKey('good')
  process.env.PATH = bin
  await expect(sign(key)).rejects.toThrow('ssh-keygen is not installed')
})
