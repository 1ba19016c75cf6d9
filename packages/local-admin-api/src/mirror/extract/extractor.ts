import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ExtractedPage } from '#mirror/extract/extract-page.ts'

/** What came of a page. */
export type Extraction = { page: ExtractedPage } | { problem: string }

/** Finds the content of pages, one after the other, in a thread of its own. */
export type Extractor = {
  /** Never rejects. A page that takes too long, or too much memory, is a problem and no more. */
  extract(html: string, url: string): Promise<Extraction>
  close(): Promise<void>
}

const program = fileURLToPath(import.meta.resolve('./extract-thread.ts'))
const memoryMb = 256

/** Starts the thread with the first page, and anew after a page that ended it. `limitMs` is for one page. */
export const extractor = (limitMs: number): Extractor => {
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()

  const one = (html: string, url: string): Promise<Extraction> =>
    new Promise((resolve) => {
      const worker = (thread ??= new Worker(program, {
        execArgv: ['--disable-warning=ExperimentalWarning'],
        env: { NODE_ENV: 'production', TZ: 'UTC' },
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      }))
      const end = (extraction: Extraction, isOver: boolean) => {
        clearTimeout(timer)
        worker.removeAllListeners()
        if (isOver) {
          // What a dying thread still has to say is of no interest.
          worker.on('error', () => undefined)
          void worker.terminate()
          thread = null
        }
        resolve(extraction)
      }
      const timer = setTimeout(
        () => end({ problem: `finding its content took more than ${limitMs / 1_000} s` }, true),
        limitMs,
      )
      worker.once('message', (extraction: Extraction) => end(extraction, false))
      worker.once('error', () => end({ problem: 'finding its content took more memory than there is' }, true))
      worker.once('exit', () => end({ problem: 'finding its content ended unexpectedly' }, true))
      worker.postMessage({ html, url })
    })

  return {
    extract: (html, url) => {
      const extraction = last.then(() => one(html, url))
      last = extraction
      return extraction
    },
    close: async () => {
      await last
      await thread?.terminate()
    },
  }
}
