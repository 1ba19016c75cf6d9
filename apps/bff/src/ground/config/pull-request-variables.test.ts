import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-config-'))
afterAll(() => rm(folder, { recursive: true }))

const fileWith = async (content: string) => {
  const file = join(folder, `secret-${Math.random()}`)
  await writeFile(file, content)
  return file
}
const listTokens = ({ local }: Awaited<ReturnType<typeof readConfig>>) =>
  local.codeHosts.map((host) => ('token' in host ? host.token() : host.app.privateKey()))
const listMistakes = (variables: Record<string, string>) =>
  readConfig(variables).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )

test('code hosts are read from a file, their tokens are read at each use, and printing the configuration reveals no secret', async () => {
  const [tokenFile, privateKeyFile] = [await fileWith('hunter4'), await fileWith('hunter5')]
  const hosts = [
    { kind: 'gitlab', url: 'https://git.example.com', path: 'docs/team', tokenFile, caFile: privateKeyFile },
    { kind: 'github', app: { id: 12, privateKeyFile, installationId: 7 } },
  ]
  const config = await readConfig({ LOCAL_CODE_HOSTS_FILE: await fileWith(JSON.stringify(hosts)) })
  expect(config.local.codeHosts).toMatchObject([
    { kind: 'gitlab', url: 'https://git.example.com', path: 'docs/team', caFile: privateKeyFile },
    { kind: 'github', url: null, app: { id: '12', installationId: 7 } },
  ])
  await writeFile(tokenFile, 'hunter6\n')
  expect(listTokens(config)).toEqual(['hunter6', 'hunter5'])
  expect(inspect(config, { depth: null, showHidden: true, getters: true })).not.toMatch(/hunter/)
})

test.each([
  ['hunter2', 'is no list of code hosts'],
  [[{ kind: 'github' }], 'at code host 1: needs either tokenFile or app'],
  [[{ kind: 'gitea', tokenFile: '/nowhere' }], 'needs url with kind gitea'],
  [[{ kind: 'github', tokenFile: 'relative' }], 'at code host 1, tokenFile: must be an absolute path'],
  [[{ kind: 'github', tokenFile: '/nowhere' }], 'names the file /nowhere, which Docket cannot read or is empty'],
  [[{ kind: 'gitlab', app: { id: 1, privateKeyFile: '/nowhere' } }], 'can have app with kind github only'],
  [[{ kind: 'github', token: 'hunter2' }], 'at code host 1: '],
] as const)(
  'the list of code hosts %j is refused with the position of the mistake, without repeating a value',
  async (hosts, mistake) => {
    const file = await fileWith(typeof hosts === 'string' ? hosts : JSON.stringify(hosts))
    const message = await listMistakes({ LOCAL_CODE_HOSTS_FILE: file })
    expect(message).toContain('LOCAL_CODE_HOSTS_FILE holds a value that is no list of code hosts')
    expect(message).toContain(mistake)
    expect(message).not.toContain('hunter')
  },
)

test('rules for pull requests are read, and an error lists the known placeholders', async () => {
  const { local } = await readConfig({
    AGENT_COMMIT_AUTHOR: 'Docs bot <bot@example.com>',
    AGENT_PULL_REQUEST_TITLE: 'docs({project}): {title}',
    AGENT_PULL_REQUEST_LABELS: 'docs, agent',
    AGENT_OPEN_PULL_REQUESTS: '5',
  })
  const bot = { name: 'Docs bot', email: 'bot@example.com' }
  expect(local.rules).toMatchObject({ author: bot, committer: bot, labels: ['docs', 'agent'], openPullRequests: 5 })
  expect((await readConfig({})).local.rules).toMatchObject({ author: null, requester: 'name', title: '{title}' })
  const message = await listMistakes({
    AGENT_COMMIT_AUTHOR: 'bot@example.com',
    AGENT_PULL_REQUEST_TITLE: 'docs: {subject}',
    AGENT_COMMIT_SIGNING_KEY_FILE: '/nowhere',
  })
  expect(message).toContain('AGENT_COMMIT_AUTHOR must be a name and an e-mail address')
  expect(message).toContain('AGENT_PULL_REQUEST_TITLE has {subject}, and only {title}, {project}, {job} are known')
  expect(message).toContain('AGENT_COMMIT_SIGNING_KEY_FILE must name a file')
})
