import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

/** Longest line that is read; the rest of it is left out. Characters. */
const maxLine = 4 * 1024 * 1024

/** Cuts a stream of bytes into whole lines, so that nothing that belongs together is read in parts. */
export const lineSplitter = (onLine: (line: string) => void) => {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let length = 0
  const flush = () => {
    const line = pieces.join('')
    pieces = []
    length = 0
    onLine(line)
  }
  const add = (text: string) => {
    const lines = text.split('\n')
    for (const [index, part] of lines.entries()) {
      if (length < maxLine) pieces.push(part)
      length += part.length
      if (index < lines.length - 1) flush()
    }
  }
  return {
    add: (chunk: Buffer) => add(decoder.write(chunk)),
    end: () => {
      add(decoder.end())
      if (length > 0) flush()
    },
  }
}

/**
 * A line as a person reads it: no colours, cursor movements or control characters. Of a line that was written over (`\r`), only the last
 * state stays.
 */
export const toReadable = (line: string): string => {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? ''
  return stripVTControlCharacters(last).replaceAll(unreadable, '').trimEnd()
}

/** Controls, and the marks that make text read in another order than it is written. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unreadable = /[\0-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g
