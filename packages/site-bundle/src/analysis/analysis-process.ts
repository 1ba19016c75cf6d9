import { ArchiveRefused } from '#archive/archive-file.ts'
import { type AnalysisMessage, type AnalysisOrder, readBundle } from './read-bundle.ts'

const betweenMs = 200

const sendMessage = (message: AnalysisMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

const runAnalysis = async (order: AnalysisOrder): Promise<AnalysisMessage> => {
  let [sentAt, sentDone] = [0, -1]
  const bundle = await readBundle(order, {
    onProgress: (phase, done, total) => {
      if (done === sentDone || (Date.now() - sentAt < betweenMs && done < total)) return
      ;[sentAt, sentDone] = [Date.now(), done]
      void sendMessage({ kind: 'progress', phase, done, total })
    },
    onRead: (read) => void sendMessage({ kind: 'read', bundle: read }),
  })
  return { kind: 'checked', bundle }
}

const explainFailure = (error: unknown): AnalysisMessage => {
  if (error instanceof ArchiveRefused) return { kind: 'refused', reason: error.reason, sentence: error.message }
  const { code = null, message } = error as NodeJS.ErrnoException
  return { kind: 'failed', code, message }
}

process.once('disconnect', () => process.exit(1))
process.once('message', (order: AnalysisOrder) => {
  void runAnalysis(order)
    .catch(explainFailure)
    .then(sendMessage)
    .finally(() => process.exit())
})
