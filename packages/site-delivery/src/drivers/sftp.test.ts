import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { hasSshServer, startSshServer } from '#testing/ssh-server.ts'
import { fileContract } from '#testing/file-contract.ts'
import { targetContract } from '#testing/target-contract.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createSftpTarget, type SftpOptions } from './sftp.ts'
import { readFingerprint, readHostKey } from './ssh-connection.ts'

if (!hasSshServer) {
  test.skip('OpenSSH’s server is not installed, so no real SFTP server was tested', () => {})
} else {
  const homes: string[] = []
  const servers = new Map<number, Awaited<ReturnType<typeof startSshServer>>>()
  let server: Awaited<ReturnType<typeof startSshServer>>
  beforeAll(async () => {
    for (const umask of [0o022, 0o077, 0o000]) {
      homes.push(mkdtempSync(join(tmpdir(), 'docket-sshd-')))
      servers.set(umask, await startSshServer(homes.at(-1)!, umask))
    }
    server = servers.get(0o022)!
  })
  afterAll(() => {
    for (const { stop } of servers.values()) stop()
    for (const home of homes) rmSync(home, { recursive: true })
  })
  const open = async (layout: SftpOptions['layout'], more: Partial<SftpOptions> = {}, umask = 0o022) => {
    const folder = join(await temporaryFolder(), 'www')
    const { port, hostKey, login } = servers.get(umask)!
    const target = createSftpTarget({ host: '127.0.0.1', port, hostKey, login, folder, layout, ...more })
    onTestFinished(() => target.close())
    const ownsFolder = layout.kind === 'releases'
    const place = (path: string) => join(folder, ownsFolder ? 'current' : '', path)
    return {
      target,
      root: folder,
      served: place('.'),
      ownsFolder,
      read: (path: string) => readFile(place(path), 'utf8').catch(() => null),
      meddle: async (path: string, content: string | null) => {
        await mkdir(dirname(place(path)), { recursive: true })
        await (content === null ? rm(place(path)) : writeFile(place(path), content))
      },
    }
  }
  const layouts: SftpOptions['layout'][] = [
    { kind: 'releases', keep: 1 },
    { kind: 'in_place', graceMs: 0 },
  ]
  for (const layout of layouts) {
    targetContract(`sftp, ${layout.kind}`, () => open(layout), 'short')
    fileContract(`sftp, ${layout.kind}`, async (umask, mode = 0o755) => {
      const opened = await open(layout, {}, umask)
      await mkdir(opened.root)
      await chmod(opened.root, mode)
      return opened
    })
  }

  test('sftp: the key of the server is pinned, and the error of a refused sign-in contains no secret', async () => {
    const { port, hostKey, login } = server
    expect(await readHostKey({ host: '127.0.0.1', port })).toBe(hostKey)
    expect(readFingerprint(hostKey)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    expect(readFingerprint('ssh-ed25519 AAAA')).toBeNull()
    const tries: [Partial<SftpOptions>, string][] = [
      [{ hostKey: hostKey.replace(/.{6}$/, 'AAAAAA') }, 'another key than the one that was confirmed'],
      [{ login: { user: login.user, password: 'canary-password' } }, 'refused the user'],
      [{ login: { user: login.user, privateKey: 'canary-key', passphrase: null } }, 'cannot read the private key'],
      [{ port: 1 }, 'cannot be reached (ECONNREFUSED)'],
    ]
    for (const [more, sentence] of tries) {
      const { target } = await open(layouts[0]!, more)
      const problem: unknown = await target.check(new AbortController().signal).catch((error: unknown) => error)
      expect((problem as Error).message).toContain(sentence)
      expect(inspect(problem, { depth: null, showHidden: true })).not.toContain('canary')
    }
  })
}
