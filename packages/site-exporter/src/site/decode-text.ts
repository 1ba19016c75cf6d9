import { isUtf8 } from 'node:buffer'
import { isLfsPointer, lfsReason } from '@docket/sources/git/lfs-pointer'
import { analyse } from 'chardet'

/** Letters outside ASCII: in UTF-8, or in an encoding of single bytes. */
const letters = /(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+|[\x80-\xff]+/g
/** Bytes that Windows-1252 does not use, and a run of letters that Western texts do not have. */
const foreign = /[\x81\x8d\x8f\x90\x9d]|[\x80-\xff]{4}/

/** UTF-16 by its mark, or because every second byte of the first line is zero. */
const findWideEncoding = (content: Buffer) => {
  const mark = content.toString('latin1', 0, 4)
  if (mark.startsWith('\xff\xfe\0\0')) return null
  if (/^(?:\xff\xfe|(?:[^\0]\0){2})/s.test(mark)) return 'utf-16le'
  return /^(?:\xfe\xff|(?:\0[^\0]){2})/s.test(mark) ? 'utf-16be' : null
}

/** Copies a slice of a text, which would keep the whole text in memory. */
export const copyText = (text: string) => Buffer.from(text).toString()

/** Encodings whose Western letters are those of Windows-1252. */
const western = /^(?:ISO-8859-[19]|windows-125[24])$/
/** Only the beginning of a text is looked at. Bytes. */
const maxGuessed = 64 * 1024
/** Lower for short texts, whose letters fit several encodings. Percent. */
const [minConfidence, minLead] = [30, 15]

/** Text in the encoding that it most likely has. Null where that is not clear, or is Western. */
const decodeByGuess = (content: Buffer): { text: string; name: string } | null => {
  const [best, ...others] = analyse(content.subarray(0, maxGuessed))
  const rival = others.find(({ name }) => western.test(name))?.confidence ?? 0
  const isClear = best && best.confidence >= Math.max(minConfidence, rival + minLead)
  if (!isClear || western.test(best.name)) return null
  try {
    return { text: new TextDecoder(best.name, { fatal: true }).decode(content), name: best.name }
  } catch {
    return null
  }
}

/**
 * Text of a file without its mark: UTF-8, UTF-16, another encoding, or UTF-8 with letters of Windows-1252. Null for a Git LFS pointer.
 * `problem` names the first line that is not UTF-8, or is null.
 */
export const decodeSourceText = (content: Buffer): { text: string | null; problem: string | null } => {
  if (isLfsPointer(content)) return { text: null, problem: lfsReason }
  const wide = findWideEncoding(content)
  if (wide !== null) {
    const text = new TextDecoder(wide).decode(content)
    const [whole] = text.split('\ufffd', 1)
    return {
      text,
      problem: whole === text ? null : `line ${whole!.split('\n').length} is not UTF-16: letters are lost`,
    }
  }
  const utf8 = new TextDecoder()
  // Of ISO-2022-JP and UTF-32, too, each byte is valid UTF-8.
  const odd = Math.max(content.indexOf(0), content.indexOf(0x1b))
  if (isUtf8(content)) {
    const problem = `line ${content.toString('latin1', 0, odd).split('\n').length} has characters that no text has`
    return { text: utf8.decode(content), problem: odd < 0 ? null : problem }
  }
  const bytes = content.toString('latin1')
  const isWrong = (run: string) => !isUtf8(Buffer.from(run, 'latin1'))
  const runs = [...bytes.matchAll(letters)]
  const wrong = runs.filter(([run]) => isWrong(run))
  const isWestern = !bytes.includes('\0') && !wrong.some(([run]) => foreign.test(run))
  const single = new TextDecoder('windows-1252')
  const decode = (run: string) => (isWrong(run) ? single : utf8).decode(Buffer.from(run, 'latin1'))
  const line = `line ${bytes.slice(0, wrong[0]?.index).split('\n').length} is not UTF-8`
  const guessed = wrong.length * 2 > runs.length ? decodeByGuess(content) : null
  if (guessed !== null) return { text: guessed.text, problem: `${line}: it is read as ${guessed.name}` }
  return isWestern
    ? { text: bytes.replace(letters, decode), problem: `${line}: its letters are read as Windows-1252` }
    : { text: utf8.decode(content), problem: `${line}: letters are lost` }
}
