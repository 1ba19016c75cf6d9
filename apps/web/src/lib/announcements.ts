const waiting: string[] = []
const listeners = new Set<(text: string) => void>()
let timer: ReturnType<typeof setTimeout> | undefined
const batchMs = 900

/** Says `text` to people who use a screen reader. What comes within a second is said as one. */
export const announce = (text: string): void => {
  waiting.push(text)
  timer ??= setTimeout(() => {
    timer = undefined
    const batch = waiting.splice(0)
    const lines = batch.length > 4 ? [...batch.slice(0, 4), `and ${batch.length - 4} more changes`] : batch
    for (const listener of listeners) listener(lines.map((words) => words.replace(/[.\s]+$/u, '')).join('. '))
  }, batchMs)
}

/** Receives every batch. Returns the way out. */
export const onAnnouncement = (listener: (text: string) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
