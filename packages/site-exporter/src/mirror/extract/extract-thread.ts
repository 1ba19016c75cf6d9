import { parentPort } from 'node:worker_threads'
import { extractPage } from './extract-page.ts'

// A page that exhausts the parser or the memory ends only this thread.
parentPort?.on('message', ({ html, url }: { html: string; url: string }) => {
  try {
    parentPort?.postMessage({ page: extractPage(html, url) })
  } catch (error) {
    const problem = error instanceof RangeError ? 'its elements are nested too deep' : 'its HTML cannot be read'
    parentPort?.postMessage({ problem })
  }
})
