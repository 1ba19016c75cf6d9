import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const maxFileBytes = 16_384
const betweenReadsMs = 100
/** Maximum number of reads of a file that keeps changing. The last one is then used, because it may be complete. */
const maxReads = 20

/**
 * Opens a key and returns the function that reads the current one. Rejects with an `Error` that says what to change. Later problems of
 * the file keep the last good key. No message holds a key. `file` wins over `value`.
 */
export const openKeySource = async (options: {
  /** Name of the setting, for messages: `ADMIN_API_KEY` or `ADMIN_API_READ_KEY`. */
  name: string
  value?: string | undefined
  /** The file is read again before every use, so a rotated secret needs no restart. */
  file?: string | undefined
  /** Admin API §5.3: the fixed prefix of admin keys, with or without its underscore. Not checked when unset. */
  prefix?: string | undefined
  /**
   * Called once for each problem of a changed file, while the previous key stays in use. The message never contains the
   * key.
   */
  onProblem?: ((message: string) => void) | undefined
}): Promise<() => Promise<string>> => {
  const { name, value, file, onProblem } = options
  const setting = file === undefined ? name : `${name}_FILE`
  const prefix = options.prefix === undefined || options.prefix === '' ? '' : `${options.prefix.replace(/_+$/, '')}_`

  const checked = (text: string): string => {
    const key = text.trim()
    if (key === '') throw new Error(`${setting} is empty.`)
    // Other characters are invalid in a header, or would split it.
    if (!/^[\x21-\x7e]{1,1024}$/.test(key)) {
      throw new Error(`${setting} must hold one admin key and nothing else: one line without spaces, plain ASCII.`)
    }
    if (!key.startsWith(prefix) || key.length === prefix.length) {
      throw new Error(`${setting} does not hold an admin key: it should start with ${prefix} (ADMIN_API_KEY_PREFIX).`)
    }
    return key
  }
  if (file === undefined) {
    const key = checked(value ?? '')
    return () => Promise.resolve(key)
  }

  const readKey = async (path: string): Promise<string> => {
    const info = await stat(path).catch((error: unknown) => {
      throw new Error(`${setting} cannot be read (${readErrorCode(error)}): ${path}`)
    })
    if (info.isDirectory() || info.size > maxFileBytes) throw new Error(`${setting} is not a key file: ${path}`)
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new Error(`${setting} cannot be read (${readErrorCode(error)}): ${path}`)
    })
    return checked(text)
  }
  let last = await readKey(file)
  let lastProblem: string | null = null
  let settling: Promise<string> | null = null
  // A pipe delivers its content once; a second read would block forever.
  const rereadable = (await stat(file).catch(() => null))?.isFile() ?? false

  /** Reads a changed file until two reads agree, because a half-written key looks like a key. */
  const settled = async (first: string): Promise<string> => {
    let [before, now] = ['', first]
    for (let reads = 0; before !== now && reads < maxReads; reads += 1) {
      await delay(betweenReadsMs)
      before = now
      now = await readKey(file)
    }
    return now
  }

  return async () => {
    if (!rereadable) return last
    try {
      // Concurrent callers wait too, because the old key may be revoked.
      const found = settling === null ? await readKey(file) : await settling
      if (found !== last) last = await (settling ??= settled(found).finally(() => (settling = null)))
      lastProblem = null
    } catch (error) {
      const message = error instanceof Error ? error.message : 'Docket can’t read the key file.'
      if (message !== lastProblem) onProblem?.(`${message} The previous key stays in use.`)
      lastProblem = message
    }
    return last
  }
}

const readErrorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
