import { stripVTControlCharacters } from 'node:util'

const limits = { bytes: 64 * 1024, lines: 200, lineLength: 500, characters: 20_000 }

export const createBoundedOutput = () => {
  let tail = Buffer.alloc(0)
  let isCut = false
  return {
    add: (chunk: Buffer) => {
      const whole = Buffer.concat([tail, chunk])
      isCut ||= whole.length > limits.bytes
      tail = whole.subarray(-limits.bytes)
    },
    lines: () => {
      const all = tail
        .toString()
        .split('\n')
        .map((line) => toReadable(line).slice(0, limits.lineLength))
      return keepLastLines(
        all.filter((line) => line !== ''),
        limits,
        isCut,
      )
    },
  }
}

/** The last lines within both limits, after a `…` when earlier ones were left out, here or (`isCut`) before. */
export const keepLastLines = (
  all: readonly string[],
  limits: { lines: number; characters: number },
  isCut = false,
): string[] => {
  const lines: string[] = []
  let characters = 0
  for (const line of all.toReversed()) {
    characters += line.length + 1
    if (lines.length >= limits.lines || characters > limits.characters) return ['…', ...lines]
    lines.unshift(line)
  }
  return isCut ? ['…', ...lines] : lines
}

/** Removes colours, cursor movements and control characters. A line overwritten with `\r` keeps its last state. */
export const toReadable = (line: string): string => {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? ''
  return stripVTControlCharacters(last).replaceAll(unreadable, '').trimEnd()
}

/** Control characters, and marks that change the direction of text. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const unreadable = /[\0-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g
