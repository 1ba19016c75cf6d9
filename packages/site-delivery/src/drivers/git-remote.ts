import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CodeHostError } from '@docket/code-hosts/code-host-error'
import { toGitError } from '@docket/code-hosts/git/remote-repository'
import { credentialHelper, gitIn, type GitOptions } from '@docket/sources/git/git'
import { FetchTooLarge, limitSize } from '@docket/sources/git/limit-size'
import { isLoopbackHost } from '@docket/outbound/addresses'
import { DeliveryFailed } from '#delivery-target.ts'
import type { HostKey } from './ssh-connection.ts'
import { locateRepository, type LocalPlaces } from './folder.ts'

/** A remote repository. `machine` has the repositories of this machine that are allowed. */
export type GitRemote = {
  url: string
  credential: { user: string; token: string } | { privateKey: string; hostKey: HostKey } | null
  machine: LocalPlaces
  workFolder: string
  /** Bytes that a branch may have; as many as the largest bundle by default. */
  maxBranchBytes?: number
}

export type RemoteSession = {
  gitDir: string
  git: ReturnType<typeof gitIn>
  url: string
  over: (args: readonly string[], signal: AbortSignal) => Promise<string>
  /** Rejects when the branch has more than `maxBranchBytes`. */
  fetch: (args: readonly string[], signal: AbortSignal) => Promise<string>
}

const transferMs = 30 * 60_000
const largestBundleBytes = 8 * 1024 ** 3
/** Older clones were left by killed processes. Milliseconds. */
const abandonedMs = 6 * 3_600_000

/** Opens a bare repository for `use`, and removes it afterwards. Rejects with `DeliveryFailed`. */
export const withRemote = async <T>(remote: GitRemote, use: (session: RemoteSession) => Promise<T>): Promise<T> => {
  const { workFolder, credential, maxBranchBytes: maxBytes = largestBundleBytes } = remote
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  await removeAbandonedClones(workFolder)
  const folder = join(workFolder, randomUUID())
  const gitDir = join(folder, 'clone.git')
  await mkdir(gitDir, { recursive: true, mode: 0o700 })
  try {
    const { url, host, config } = await readAddress(remote, folder)
    const git = gitIn(gitDir)
    await git(['init', '--quiet', '--bare', '--initial-branch=clone', gitDir])
    const hide = (text: string) =>
      listSecrets(remote).reduce((said, secret) => said.replaceAll(secret, '[hidden]'), text)
    const over = async (args: readonly string[], signal: AbortSignal) => {
      const options: GitOptions = {
        timeLimitMs: transferMs,
        signal,
        remote: url,
        config,
        ...(credential !== null &&
          'token' in credential && {
            credential: `username=${credential.user}\npassword=${credential.token}\n`,
          }),
      }
      try {
        return await git(args, options)
      } catch (error) {
        signal.throwIfAborted()
        throw toGitError(error, { host, hide, needs: credential === null ? null : 'permission to push' })
      }
    }
    const fetch = (args: readonly string[], signal: AbortSignal) =>
      limitSize({ gitDir, maxBytes, signal }, (limited) => over(['fetch', ...args], limited))
    return await use({ gitDir, git, url, over, fetch })
  } catch (error) {
    if (error instanceof FetchTooLarge)
      throw new DeliveryFailed(
        `The branch has more than ${Math.floor(maxBytes / 1024 ** 2)} MB of files, and Docket reads no more. Deliver to another branch.`,
      )
    if (error instanceof CodeHostError) throw new DeliveryFailed(error.message, error.kind === 'unreachable')
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const listSecrets = ({ credential }: GitRemote) =>
  credential === null ? [] : ['token' in credential ? credential.token : credential.privateKey]

const readAddress = async ({ url: address, credential, machine }: GitRemote, folder: string) => {
  const shared = ['http.followRedirects=initial', 'http.lowSpeedLimit=100', 'http.lowSpeedTime=60']
  if (address.startsWith('/')) {
    const path = await locateRepository(address, machine)
    return { url: pathToFileURL(path).href, host: 'this machine', config: shared }
  }
  const url = URL.parse(address)
  if (url?.protocol === 'ssh:') {
    if (credential === null || !('privateKey' in credential))
      throw new DeliveryFailed('A repository behind SSH needs a private key and the key of the server.')
    return {
      url: address,
      host: url.host,
      config: [...shared, await writeSshCommand(url, credential, folder)],
    }
  }
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))))
    throw new DeliveryFailed('Use the address of a repository that begins with https://, ssh:// or /.')
  return {
    url: address,
    host: url.host,
    config: [
      ...shared,
      // Sets the credential for this origin only, so that a redirect to another one does not get it.
      ...(credential === null ? [] : [`credential.${url.origin}.helper=${credentialHelper}`]),
    ],
  }
}

/** OpenSSH reads keys from files only. They live as long as the clone, in a folder of Docket's user. */
const writeSshCommand = async (
  url: URL,
  { privateKey, hostKey }: { privateKey: string; hostKey: HostKey },
  folder: string,
) => {
  const [keyFile, hostsFile] = [join(folder, 'key'), join(folder, 'known_hosts')]
  const host = url.port === '' || url.port === '22' ? url.hostname : `[${url.hostname}]:${url.port}`
  await writeFile(keyFile, `${privateKey.trim()}\n`, { mode: 0o600 })
  await writeFile(hostsFile, `${host} ${hostKey}\n`, { mode: 0o600 })
  const options = [
    'IdentitiesOnly=yes',
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile="${hostsFile}"`,
    'GlobalKnownHostsFile=/dev/null',
    `HostKeyAlgorithms=${listHostKeyAlgorithms(hostKey)}`,
    'ConnectTimeout=15',
    'ServerAliveInterval=15',
  ]
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  return `core.sshCommand=ssh -F /dev/null -i ${quote(keyFile)} ${options.map((option) => `-o ${quote(option)}`).join(' ')}`
}

const listHostKeyAlgorithms = (hostKey: HostKey) => {
  const [type = ''] = hostKey.split(' ')
  return type === 'ssh-rsa' ? 'rsa-sha2-512,rsa-sha2-256' : type
}

const removeAbandonedClones = async (workFolder: string) => {
  for (const name of await readdir(workFolder)) {
    const path = join(workFolder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true })
  }
}
