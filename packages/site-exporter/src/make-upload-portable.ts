import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runLimited } from '@docket/site-bundle/analysis/run-limited'
import type { End, PortableMessage, PortableUpload } from './portable-process.ts'

const program = fileURLToPath(import.meta.resolve('./portable-process.ts'))
const noPage =
  'The archive has no page. Upload the folder that your generator builds, with its HTML files, such as build, dist or site.'

/** Makes the site in an archive portable with `runLimited`; the same archive and domain make the same bytes. Rejects as it does. */
export const makeUploadPortable = async (
  order: PortableUpload,
  { onProgress, onFailure }: { onProgress: (done: number, total: number) => void; onFailure: (error: Error) => void },
  signal: AbortSignal,
  { memoryMb = 1024, timeLimitMs = 15 * 60_000 } = {},
) => {
  let end = null as End | null
  const onMessage = (message: PortableMessage) => {
    if (message.kind === 'progress') onProgress(message.done, message.total)
    else end = message
  }
  const toRefusal = (sentence: string) => ({ outcome: 'refused', reason: 'refused', sentence }) as const
  try {
    const why = await runLimited(program, order, { memoryMb, timeLimitMs, onMessage }, signal)
    const ended = end as End | null
    if (ended?.kind === 'made') return { outcome: 'made', file: join(order.folder, 'portable.tar.gz') } as const
    signal.throwIfAborted()
    if (ended?.kind === 'refused') return { ...ended, outcome: 'refused' } as const
    if (ended?.code === 'NO_PAGE') return toRefusal(noPage)
    if (ended !== null) onFailure(new Error(ended.message))
    return toRefusal(
      `Making the site portable ${ended === null ? why : 'failed'}. Upload it as it is, or make it smaller.`,
    )
  } finally {
    for (const name of ['unpacked', 'portable']) await rm(join(order.folder, name), { recursive: true, force: true })
  }
}
