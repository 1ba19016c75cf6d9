import { expect, test } from 'vitest'
import { hostileLinks } from '#service/admin-api/testing/hostile-links.ts'
import { upstreamLink } from './safe-link.ts'

const strict = (text: string) => upstreamLink(text, { allowLoopbackHttp: false })
const loose = (text: string) => upstreamLink(text, { allowLoopbackHttp: true })

test('text that runs code or leads to another address than it shows never becomes a link', () => {
  expect(hostileLinks.length).toBeGreaterThan(50)
  for (const text of hostileLinks) {
    const plain = { text, href: null, host: null, label: null }
    expect(strict(text)).toEqual(plain)
    expect(loose(text)).toEqual(plain)
  }
})

test('loopback http is a link only while Docket uses its embedded service', () => {
  for (const text of [
    'http://localhost:3001/a/b',
    'http://127.0.0.1:3001/a/b',
    'http://docs.localhost/a/b',
    'http://[::1]:1/a/b',
  ]) {
    expect(strict(text).href).toBeNull()
    expect(loose(text)).toMatchObject({ href: text, label: 'a/b' })
  }
})

test('ordinary links keep their address and show their host and short name', () => {
  const table: [text: string, host: string, label: string | null][] = [
    ['https://github.com/acme/docs/pull/12', 'github.com', 'acme/docs#12'],
    ['https://github.com/acme/docs/pull/12/files?w=1#diff', 'github.com', 'acme/docs#12'],
    ['https://ghe.example.com:8443/acme/docs.site/pull/3', 'ghe.example.com:8443', 'acme/docs.site#3'],
    ['https://gitlab.com/acme/team/docs/-/merge_requests/7', 'gitlab.com', 'acme/team/docs!7'],
    ['https://gitlab.com/acme/docs/merge_requests/7/diffs', 'gitlab.com', 'acme/docs!7'],
    ['https://codeberg.org/acme/docs/pulls/5', 'codeberg.org', 'acme/docs#5'],
    ['https://example.com/gitea/acme/docs/pulls/5', 'example.com', 'acme/docs#5'],
    ['https://bitbucket.org/acme/docs/pull-requests/12', 'bitbucket.org', 'acme/docs#12'],
    ['https://bitbucket.org/acme/docs/pull-requests/12/diff', 'bitbucket.org', 'acme/docs#12'],
    ['https://bitbucket.org/acme/docs/pull-requests/new', 'bitbucket.org', null],
    ['https://git.example.com/projects/ACME/repos/docs/pull-requests/3/overview', 'git.example.com', 'ACME/docs#3'],
    ['https://git.example.com/bitbucket/users/ann/repos/docs/pull-requests/3', 'git.example.com', 'ann/docs#3'],
    ['https://dev.azure.com/acme/site/_git/docs/pullrequest/41', 'dev.azure.com', 'site/docs!41'],
    ['https://dev.azure.com/acme/Our%20Site/_git/docs/pullrequest/41?_a=files', 'dev.azure.com', 'Our Site/docs!41'],
    ['https://acme.visualstudio.com/_git/docs/pullrequest/41', 'acme.visualstudio.com', 'docs!41'],
    ['https://tfs.example.com/tfs/Default/site/_git/docs/pullrequest/41', 'tfs.example.com', 'site/docs!41'],
    ['https://dev.azure.com/acme/a%2Fb/_git/docs/pullrequest/41', 'dev.azure.com', null],
    ['https://github.com/acme/docs', 'github.com', 'acme/docs'],
    ['https://github.com/acme/docs.git', 'github.com', 'acme/docs'],
    ['https://gitlab.com/acme/team/docs.git/', 'gitlab.com', 'acme/team/docs'],
    ['https://github.com/acme/docs/pull/new', 'github.com', null],
    ['https://example.com/', 'example.com', null],
    ['https://example.com/one', 'example.com', null],
    ['https://example.com/a/%E2%80%AEb', 'example.com', null],
    ['https://xn--gthub-n4a.com/a/b', 'xn--gthub-n4a.com', 'a/b'],
    ['https://192.0.2.7/a/b', '192.0.2.7', 'a/b'],
  ]
  for (const [text, host, label] of table) {
    expect(strict(text)).toEqual({ text, href: text, host, label })
  }
  expect(strict('HTTPS://GitHub.com:443/a/../acme/docs/pull/1')).toMatchObject({
    href: 'https://github.com/acme/docs/pull/1',
    host: 'github.com',
    label: 'acme/docs#1',
  })
})

test('a path designed to slow down the patterns is matched in time', () => {
  for (const text of [
    `https://x.example${'/a'.repeat(1_000)}`,
    `https://x.example/${'a/'.repeat(900)}pull/x!`,
    `https://x.example/${'%20/'.repeat(400)}_git/a/pullrequest/x`,
    `https://x.example/${'projects/'.repeat(150)}a/repos/a/pull-requests/x`,
  ]) {
    expect(strict(text).href).toBe(text)
  }
})
