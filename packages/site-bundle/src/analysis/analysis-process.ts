import { type AnalysisMessage, type AnalysisOrder, readBundle } from './read-bundle.ts'
import { serveOrder } from './serve-order.ts'

const betweenMs = 200

serveOrder<AnalysisOrder, AnalysisMessage>(async (order, send) => {
  let [sentAt, sentDone] = [0, -1]
  const bundle = await readBundle(order, {
    onProgress: (phase, done, total) => {
      if (done === sentDone || (Date.now() - sentAt < betweenMs && done < total)) return
      ;[sentAt, sentDone] = [Date.now(), done]
      void send({ kind: 'progress', phase, done, total })
    },
    onRead: (read) => void send({ kind: 'read', bundle: read }),
  })
  return { kind: 'checked', bundle }
})
