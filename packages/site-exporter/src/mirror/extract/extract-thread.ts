import { parentPort } from 'node:worker_threads'
import { extractPage } from './extract-page.ts'

// A page that stops a parser, or needs more memory than there is, ends this thread and nothing else.
parentPort?.on('message', ({ html, url }: { html: string; url: string }) => {
  try {
    parentPort?.postMessage({ page: extractPage(html, url) })
  } catch (error) {
    const problem = error instanceof RangeError ? 'its elements are nested too deep' : 'its HTML cannot be read'
    parentPort?.postMessage({ problem })
  }
})
