import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ExtractedPage } from './extract-page.ts'

export type Extraction = { page: ExtractedPage } | { problem: string }

const program = fileURLToPath(import.meta.resolve('./extract-thread.ts'))
const memoryMb = 256

/** Starts the thread on the first page, and again after a crash. `limitMs` is per page. */
export const createExtractor = (limitMs: number) => {
  let thread: Worker | null = null
  let answer: ((extraction: Extraction) => void) | null = null
  let last: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    const worker = new Worker(program, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { NODE_ENV: 'production', TZ: 'UTC' },
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    worker.on('message', (extraction: Extraction) => settle(worker, extraction))
    worker.on('error', () => settle(worker, { problem: 'finding its content took more memory than there is' }, true))
    worker.on('exit', () => settle(worker, { problem: 'finding its content ended unexpectedly' }, true))
    return worker
  }
  const settle = (worker: Worker, extraction: Extraction, isOver = false) => {
    // Ignores late messages of a terminated thread.
    if (worker !== thread) return
    if (isOver) {
      thread = null
      void worker.terminate()
    }
    answer?.(extraction)
    answer = null
  }

  const one = async (html: string, url: string): Promise<Extraction> => {
    const worker = (thread ??= start())
    const problem = `finding its content took more than ${limitMs / 1_000} s`
    const timer = setTimeout(() => settle(worker, { problem }, true), limitMs)
    try {
      return await new Promise<Extraction>((resolve) => {
        answer = resolve
        worker.postMessage({ html, url })
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** Never rejects. A timeout or a lack of memory is a problem of that page. */
    extract: (html: string, url: string) => {
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

export type Extractor = ReturnType<typeof createExtractor>
