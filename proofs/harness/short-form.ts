import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// No bar of time: a loaded machine plays a proof slowly, and the proof ends by itself.
const limitMs = 20 * 60_000

/** Plays the short form of a proof as a test. */
export const testShortForm = (name: string): void =>
  test(`the proof ${name} finds nothing wrong in its short form`, { timeout: limitMs }, async () => {
    // Of the variables of vitest no other reaches the proof. A group of its own ends its servers when this process goes.
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
    const options = { env: { PATH, HOME, NODE_COMPILE_CACHE }, silent: true, detached: true }
    const playing = fork(join(import.meta.dirname, 'play.ts'), [name, 'quick'], options)
    let output = ''
    for (const stream of [playing.stdout, playing.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = (await once(playing, 'close')) as [number | null]
    expect(code, output).toBe(0)
  })
