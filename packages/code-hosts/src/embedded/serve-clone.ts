import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { isolate } from '@docket/sources/git/git'
import type { Repository } from './repository.ts'

/** A request of git's smart HTTP protocol: the list of refs, or a fetch with what git sent. */
export type CloneRequest = {
  /** Decompressed content of a `git-upload-pack` request. Null to list the refs. */
  fetch: Uint8Array | null
  protocol: string | undefined
  signal: AbortSignal
}

/** `busy` when there are too many clones at once. */
export type CloneAnswer = { contentType: string; body: Readable } | 'busy'

const maxAtOnce = 8
const maxMs = 10 * 60_000
let underWay = 0

/** Runs `git upload-pack`, which only reads, isolated as every other git command. */
export const serveClone = (
  { gitDir }: Repository,
  { fetch, protocol = '', signal }: CloneRequest,
): Promise<CloneAnswer> => {
  if (underWay >= maxAtOnce) return Promise.resolve('busy')
  underWay += 1
  const { settings, env } = isolate(gitDir)
  const how = fetch === null ? ['--http-backend-info-refs'] : []
  const version = /^version=[0-2]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {}
  const child = spawn('git', [...settings, 'upload-pack', '--strict', '--stateless-rpc', ...how, gitDir], {
    env: { ...env, ...version },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
    killSignal: 'SIGKILL',
  })
  child.stdin.on('error', () => {})
  child.stdin.end(fetch ?? '')
  child.once('close', () => (underWay -= 1))
  // Stops git when the client disconnects, because git would wait for it otherwise.
  child.stdout.once('close', () => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    // Aborts end here too. The response has begun by then, so its stream ends early.
    child.once('error', (error) => {
      child.stdout.destroy(error)
      reject(error)
    })
    child.once('spawn', () => {
      if (fetch !== null) resolve({ contentType: 'application/x-git-upload-pack-result', body: child.stdout })
      else
        resolve({
          contentType: 'application/x-git-upload-pack-advertisement',
          body: Readable.from(formatAnnouncement(child.stdout)),
        })
    })
  })
}

async function* formatAnnouncement(refs: Readable) {
  yield '001e# service=git-upload-pack\n0000'
  yield* refs
}
