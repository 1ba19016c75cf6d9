import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { commitTo } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { openProjects } from '#projects.ts'
import { startCodeHost } from '#testing/code-host-servers.ts'
import type { AppOnServer } from '#testing/code-host-writes.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

/** A project on a GitHub whose app is `key`, at a time of its own. */
const start = async (
  options: { key?: string; installationId?: number | null; instead?: Parameters<typeof startCodeHost>[2] } = {},
) => {
  const { key = pem, installationId = null, instead = () => null } = options
  const app: AppOnServer = {
    id: 'Iv1.docket',
    publicKey,
    installationId: 77,
    token: 'none',
    expiresAt: '2030-01-01T11:00:00Z',
  }
  const host = await startCodeHost('github', { 'a.md': 'a\n' }, instead, undefined, app)
  let time = Date.parse('2030-01-01T10:00:00Z')
  const dataDir = await temporaryFolder()
  const { projects } = openProjects({
    sources: { docs: `git+${host.repository}` },
    codeHosts: [{ kind: 'github', url: host.url, app: { id: app.id, privateKey: () => key, installationId } }],
    place: (...names) => join(dataDir, ...names),
    now: () => new Date(time),
    pause: () => Promise.resolve(),
  })
  const created = () => host.requests.filter(({ path }) => path.endsWith('/access_tokens')).length
  const project = (await projects.open('docs'))!
  return { app, host, project, created, pass: (minutes: number) => (time += minutes * 60_000) }
}

test('a GitHub App gets a token for only its repository, uses it for git and the API, and renews it before it expires', async () => {
  const { app, host, project, created, pass } = await start()
  const [base] = await Promise.all([project.base(), project.findPullRequest('x'), project.listOpenBranches()])
  expect(created()).toBe(1)
  await project.push('docs-agent/1', base.commit)
  pass(54)
  await project.listOpenBranches()
  expect(created()).toBe(1)
  pass(2)
  app.expiresAt = '2030-01-01T12:00:00Z'
  await project.listOpenBranches()
  expect(created()).toBe(2)
  expect(host.requests.filter(({ path }) => path.endsWith('/installation'))).toHaveLength(2)
})

test('a token revoked early is replaced once, for git too, and a configured installation is not looked up', async () => {
  const { app, host, project, created } = await start({ installationId: 77 })
  await project.base()
  app.token = 'revoked'
  await project.listOpenBranches()
  expect(created()).toBe(2)
  app.token = 'revoked'
  commitTo(host.gitDir, 'main', { 'a.md': 'b\n' })
  await project.base()
  expect(created()).toBe(3)
  expect(host.requests.some(({ path }) => path.endsWith('/installation'))).toBe(false)
})

test('a wrong key or installation fails with a readable message that contains no secret', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const wrong = await start({ key: other.toString() })
  await expect(wrong.project.base()).rejects.toThrow(
    /does not accept the token.*private key of the GitHub App Iv1\.docket, and the clock/,
  )
  const broken = await start({ key: 'canary_private' })
  const error: unknown = await broken.project.base().catch((error: unknown) => error)
  expect(String(error)).toContain('The private key of the GitHub App Iv1.docket is not the PEM file')
  expect(String(error)).not.toContain('canary')
  const missing = await start({ installationId: 78 })
  await expect(missing.project.base()).rejects.toThrow('needs an installation of the GitHub App Iv1.docket')
})

test('an app’s token is hidden in errors, even if a server repeats it', async () => {
  const { app, project } = await start({
    instead: ({ path }) => (path.endsWith('/pulls') ? { status: 400, json: { message: `bad ${app.token}` } } : null),
  })
  await expect(project.listOpenBranches()).rejects.toThrow('(“bad …”)')
})

test('a stopped job does not wait for a token', async () => {
  const { project } = await start({ instead: ({ path }) => (path.endsWith('/installation') ? 'hang' : null) })
  const abort = new AbortController()
  const reading = project.base(abort.signal)
  abort.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
