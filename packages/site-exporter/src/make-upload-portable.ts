import { rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runLimited } from '@docket/site-bundle/analysis/run-limited'
import type { OrderFailure } from '@docket/site-bundle/analysis/serve-order'

/** `folder` is for the result `portable.tar.gz`. `domain` names the hosts whose absolute addresses are the site's own. */
export type PortableUpload = { file: string; folder: string; domain: string }

export type PortableMessage = { kind: 'progress'; done: number; total: number } | { kind: 'made' } | OrderFailure

const program = fileURLToPath(import.meta.resolve('./portable-process.ts'))
const instead = 'Upload it without making it portable, or make the site smaller.'

/**
 * Makes the site in an archive portable with `runLimited`; the same archive and domain make the same bytes. Rejects with the reason of
 * `signal`, and with an error that has a `code` when the disk fails.
 */
export const makeUploadPortable = async (
  order: PortableUpload,
  { onProgress, onFailure }: { onProgress: (done: number, total: number) => void; onFailure: (error: Error) => void },
  signal: AbortSignal,
  { memoryMb = 1024, timeLimitMs = 15 * 60_000 } = {},
): Promise<
  | { outcome: 'made'; file: string }
  | ({ outcome: 'refused' } & Omit<Extract<OrderFailure, { kind: 'refused' }>, 'kind'>)
> => {
  let end = null as Exclude<PortableMessage, { kind: 'progress' }> | null
  const onMessage = (message: PortableMessage) => {
    if (message.kind === 'progress') onProgress(message.done, message.total)
    else end = message
  }
  try {
    const why = await runLimited(program, order, { memoryMb, timeLimitMs, onMessage }, signal)
    const ended = end as Exclude<PortableMessage, { kind: 'progress' }> | null
    if (ended?.kind === 'made') return { outcome: 'made', file: join(order.folder, 'portable.tar.gz') }
    signal.throwIfAborted()
    if (ended?.kind === 'refused') return { outcome: 'refused', reason: ended.reason, sentence: ended.sentence }
    if (ended?.kind === 'failed') {
      const error = Object.assign(new Error(ended.message), { code: ended.code })
      if (ended.code !== null && Object.hasOwn(constants.errno, ended.code)) throw error
      onFailure(error)
    }
    const sentence = `Making the site portable ${ended === null ? why : 'failed'}. ${instead}`
    return { outcome: 'refused', reason: 'refused', sentence }
  } finally {
    for (const name of ['unpacked', 'portable']) await rm(join(order.folder, name), { recursive: true, force: true })
  }
}
