import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** Where a key comes from. Give `value` or `file`; `file` wins. */
export type KeySourceOptions = {
  /** Name of the setting, for messages: `ADMIN_API_KEY` or `ADMIN_API_READ_KEY`. */
  name: string
  value?: string | undefined
  /** Read again before every use, so a rotated secret needs no restart. */
  file?: string | undefined
  /** Admin API §5.3: the fixed prefix of admin keys, with or without its underscore. Unset: not checked. */
  prefix?: string | undefined
  /** Hears once per trouble that a changed file could not be used and the key before is kept. Never holds the key. */
  onProblem?: ((message: string) => void) | undefined
}

const maxFileBytes = 16_384
const betweenReadsMs = 100
/** Of a file that never keeps still, the last one read is taken: it may be whole. */
const mostReads = 20

/**
 * Opens a key and returns the function that gives the current one. Rejects with an `Error` that says what to change when there is no
 * usable key at the start; later the last good one is kept while the file is missing, empty or wrong. No message holds the key.
 */
export const keySource = async (options: KeySourceOptions): Promise<() => Promise<string>> => {
  const { name, value, file, onProblem } = options
  const setting = file === undefined ? name : `${name}_FILE`
  const prefix = options.prefix === undefined || options.prefix === '' ? '' : `${options.prefix.replace(/_+$/, '')}_`

  const checked = (text: string): string => {
    const key = text.trim()
    if (key === '') throw new Error(`${setting} is empty.`)
    // Anything else could not travel in a header, or would split it.
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
      throw new Error(`${setting} cannot be read (${errorCode(error)}): ${path}`)
    })
    if (info.isDirectory() || info.size > maxFileBytes) throw new Error(`${setting} is not a key file: ${path}`)
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new Error(`${setting} cannot be read (${errorCode(error)}): ${path}`)
    })
    return checked(text)
  }
  let last = await readKey(file)
  let told: string | null = null
  let settling: Promise<string> | null = null
  // A pipe gives its content once; asking it again would wait for ever.
  const rereadable = (await stat(file).catch(() => null))?.isFile() ?? false

  /** The key of a file that has changed, once two reads in a row agree: what is still being written looks like a key, too. */
  const settled = async (first: string): Promise<string> => {
    let [before, now] = ['', first]
    for (let reads = 0; before !== now && reads < mostReads; reads += 1) {
      await delay(betweenReadsMs)
      before = now
      now = await readKey(file)
    }
    return now
  }

  return async () => {
    if (!rereadable) return last
    try {
      // Whoever comes meanwhile waits too: the old key may not be good any more.
      const found = settling === null ? await readKey(file) : await settling
      if (found !== last) last = await (settling ??= settled(found).finally(() => (settling = null)))
      told = null
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The key file cannot be read.'
      if (message !== told) onProblem?.(`${message} The key read before stays in use.`)
      told = message
    }
    return last
  }
}

const errorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
