import { expect, test } from 'vitest'
import { type CodeHostOptions, configureCodeHosts } from './services.ts'

const host = (kind: CodeHostOptions['kind'], url: string | null, token: string, path?: string): CodeHostOptions => ({
  kind,
  url,
  token: () => token,
  ...(path !== undefined && { path }),
})

test('a repository gets the token of the code host with the longest matching path, and no other token', async () => {
  const hosts = configureCodeHosts(
    [
      host('github', null, 'all'),
      host('github', null, 'acme', 'acme'),
      host('github', null, 'handbook', 'acme/handbook'),
      host('gitlab', 'https://git.example.com', 'gitlab'),
      host('gitea', 'https://git.example.com:8443', 'gitea'),
    ],
    () => Promise.resolve(),
  )
  const readToken = (address: string) => hosts.repositoryAt(address)?.token.read()
  expect(await readToken('https://github.com/acme/handbook.git')).toBe('handbook')
  expect(await readToken('https://github.com/ACME/handbook-2')).toBe('acme')
  expect(await readToken('https://github.com/acmes/x')).toBe('all')
  expect(await readToken('https://git.example.com/a/b/c')).toBe('gitlab')
  expect(await readToken('https://git.example.com:8443/a/b')).toBe('gitea')
  for (const address of [
    'https://github.com.evil.example/acme/handbook',
    'http://github.com/acme/handbook',
    'https://git.example.com:9/a/b',
  ])
    expect(hosts.repositoryAt(address)).toBeNull()
})

test('a replaced token file is used at once, and a port that clients cannot use is named in the error', async () => {
  let token = 'old'
  const options = { ...host('gitea', 'http://127.0.0.1:6000', ''), token: () => token }
  const { token: access, api } = configureCodeHosts([options], () => Promise.resolve()).repositoryAt(
    'http://127.0.0.1:6000/a/b',
  )!
  expect(await access.read()).toBe('old')
  token = 'new'
  expect([await access.read(), access.renew('old'), access.renew('new')]).toEqual(['new', true, false])
  await expect(api.listOpenBranches()).rejects.toThrow('web clients do not connect to this port')
})
