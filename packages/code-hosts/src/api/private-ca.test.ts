import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, gitAt, gitOverHttp } from '@docket/sources/testing/git-server'
import { expect, onTestFinished, test } from 'vitest'
import { openProjects } from '#projects.ts'
import { localhostCertificate } from '#testing/certificate.ts'

/** A Gitea behind a certificate that no machine trusts. */
const startHttps = async (folder: string) => {
  const file = join(folder, 'ca.pem')
  await writeFile(file, localhostCertificate.cert)
  const root = join(folder, 'repositories')
  const gitDir = await bareRepository(join(root, 'acme', 'handbook.git'), { 'a.md': 'a\n' })
  const git = gitOverHttp(root, { password: 'oauth2:secret', before: () => Promise.resolve() })
  const server = createServer(localhostCertificate, (request, response) => {
    if (!git(request, response)) response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, file, gitDir }
}

test('one file of CA certificates serves both git and the API of a code host, and without it neither connects', async () => {
  const folder = await temporaryFolder()
  const { url, file, gitDir } = await startHttps(folder)
  const openWith = async (caFile: string | null) => {
    const { projects } = openProjects({
      sources: { docs: `git+${url}/acme/handbook.git` },
      codeHosts: [{ kind: 'gitea', url, caFile, token: () => 'secret' }],
      place: (...names) => join(folder, caFile === null ? 'without' : 'with', ...names),
      now: () => new Date(),
      pause: () => Promise.resolve(),
    })
    return (await projects.open('docs'))!
  }
  const trusting = await openWith(file)
  expect(await trusting.base()).toEqual({ branch: 'main', commit: gitAt(gitDir, ['rev-parse', 'main']) })
  expect(await trusting.listOpenBranches()).toEqual([])
  const other = await openWith(null)
  await expect(other.base()).rejects.toThrow(/does not trust the certificate .* LOCAL_CODE_HOST_CA_FILE/)
  await expect(other.listOpenBranches()).rejects.toThrow(
    /its certificate isn’t trusted here .* LOCAL_CODE_HOST_CA_FILE/,
  )
})
