import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostKey, SshLogin } from '#drivers/ssh-connection.ts'

const program = '/usr/sbin/sshd'

/** True where OpenSSH's server is installed. */
export const hasSshServer = existsSync(program)

/** OpenSSH's server, with a user of this machine who signs in with a key. `folder` holds its files, `umask` is for new ones. */
export const startSshServer = async (
  folder: string,
  umask = 0o022,
): Promise<{ port: number; hostKey: HostKey; login: SshLogin & { privateKey: string }; stop: () => void }> => {
  const makeKey = (name: string) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    return readFileSync(join(folder, `${name}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ')
      .trim()
  }
  const hostKey = makeKey('host')
  writeFileSync(join(folder, 'authorized'), `${makeKey('user')}\n`)
  const port = await freePort()
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `PidFile ${join(folder, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'MaxStartups 100',
    `Subsystem sftp internal-sftp -u ${umask.toString(8).padStart(3, '0')}`,
  ]
  writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`)
  // Debian's start script makes it, and nothing starts the server of the system here.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true })
  const child: ChildProcess = spawn(program, ['-D', '-f', join(folder, 'config')], { stdio: 'ignore' })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('sshd ended')
    await sleep(20)
  }
  const login = { user: userInfo().username, privateKey: readFileSync(join(folder, 'user'), 'utf8'), passphrase: null }
  return { port, hostKey, login, stop: () => void child.kill('SIGKILL') }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
