import { StringDecoder } from 'node:string_decoder'

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
