const waiting: string[] = []
const listeners = new Set<(text: string) => void>()
let timer: ReturnType<typeof setTimeout> | undefined
const batchMs = 900

/** Announces `text` to screen readers. Batches texts of one second. */
export const announce = (text: string): void => {
  waiting.push(text)
  timer ??= setTimeout(() => {
    timer = undefined
    const batch = waiting.splice(0)
    const lines = batch.length > 4 ? [...batch.slice(0, 4), `and ${batch.length - 4} more changes`] : batch
    for (const listener of listeners) listener(lines.map((words) => words.replace(/[.\s]+$/u, '')).join('. '))
  }, batchMs)
}

/** Calls `listener` with every batch. Returns an unsubscribe function. */
export const onAnnouncement = (listener: (text: string) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
