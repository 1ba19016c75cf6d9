import { ArchiveRefused } from '#archive/archive-file.ts'

export type OrderFailure =
  | { kind: 'refused'; reason: ArchiveRefused['reason']; sentence: string }
  /** The machine failed, not the bundle. */
  | { kind: 'failed'; code: string | null; message: string }

const send = (message: object) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

const explainFailure = (error: unknown): OrderFailure => {
  if (error instanceof ArchiveRefused) return { kind: 'refused', reason: error.reason, sentence: error.message }
  const { code = null, message } = error as NodeJS.ErrnoException
  return { kind: 'failed', code, message }
}

/** Does the work that `runLimited` orders, then ends this process. Its last message is the result or an `OrderFailure`. */
export const serveOrder = <Order, Message extends object>(
  work: (order: Order, send: (message: Message) => Promise<void>) => Promise<Message>,
): void => {
  process.once('disconnect', () => process.exit(1))
  process.once('message', (order: Order) => {
    void work(order, send)
      .catch(explainFailure)
      .then(send)
      .finally(() => process.exit())
  })
}
