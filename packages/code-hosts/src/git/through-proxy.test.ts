import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proxiedCertificate, startConnectProxy } from '@docket/outbound/testing/connect-proxy'
import { gitIn } from '@docket/sources/git/git'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configureCodeHost } from '#api/services.ts'
import { createRemoteRepository } from './remote-repository.ts'

const commit = '0123456789012345678901234567890123456789'

test('behind a proxy, a code host is read by its API and by git, and a proxy that fails is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-proxy-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, proxiedCertificate.cert)
  const server = createServer(proxiedCertificate, (request, response) =>
    response.end(request.url?.includes('info/refs') ? `${commit}\trefs/heads/main\n` : '{"login":"docket","id":1}'),
  )
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const proxy = await startConnectProxy({ credentials: 'babbage:s3cret-word' })
  proxy.lead('git.proxied.example:443', (server.address() as AddressInfo).port)
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  })

  const url = 'https://git.proxied.example'
  const pause = () => Promise.resolve()
  const host = configureCodeHost({ kind: 'gitea', url, caFile, token: () => 'secret' }, pause)
  const git = gitIn(folder)
  await git(['init', '--quiet', '--bare', folder])
  const remote = { url: `${url}/acme/docs.git`, credential: null, caFile, hide: (text: string) => text, needs: null }
  const config = [`http.sslCAInfo=${caFile}`]
  proxy.answer(403)
  const failures = [host.testToken(), createRemoteRepository(git, remote, pause).defaultBranch()].map((failing) =>
    failing.then(String, String),
  )
  const [api, byGit] = await Promise.all(failures)
  expect(api).toContain(`the proxy http://${proxy.place} doesn’t allow connections to git.proxied.example:443 (403)`)
  expect(byGit).toContain('cannot be reached by git through the proxy in HTTPS_PROXY')
  proxy.answer(null)
  proxy.places.length = 0
  await host.testToken()
  expect(await git(['ls-remote', remote.url], { remote: remote.url, config })).toContain(commit)
  expect(proxy.places).toEqual(['git.proxied.example:443', 'git.proxied.example:443'])
  expect(`${api}${byGit}`).not.toMatch(/babbage|s3cret/)
})
