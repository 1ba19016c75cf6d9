import { type AnalysisMessage, type AnalysisOrder, readBundle } from './read-bundle.ts'
import { limitReports, serveOrder } from './serve-order.ts'

serveOrder<AnalysisOrder, AnalysisMessage>(async (order, send) => {
  const isDue = limitReports()
  const bundle = await readBundle(order, {
    onProgress: (phase, done, total) => {
      if (isDue(done, total)) void send({ kind: 'progress', phase, done, total })
    },
    onRead: (read) => void send({ kind: 'read', bundle: read }),
  })
  return { kind: 'checked', bundle }
})
