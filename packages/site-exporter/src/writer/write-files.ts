import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes files below `target`. Synchronous, because a hop to another thread costs more than a small file. */
export const fileWriter = (target: string) => {
  const made = new Set<string>()
  return (file: string, content: string | Buffer): void => {
    const path = join(target, file)
    const folder = dirname(path)
    if (!made.has(folder)) mkdirSync(folder, { recursive: true })
    made.add(folder)
    writeFileSync(path, content)
  }
}
