import { isUtf8 } from 'node:buffer'

/** Browsers look for a declaration in about as many. */
export const headBytes = 4_096

export const findMark = ([first, second, third]: Buffer) => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

const findLabel = (head: string): string | undefined => {
  const declared = /^(?:\s*<\?xml\s[^>]*\bencoding\s*=\s*["']|@charset ")([\w:.-]+)/.exec(head)
  if (declared !== null) return declared[1]
  for (const [tag] of head.replaceAll(/<!--[\s\S]*?-->/g, '').matchAll(/<meta[\s/][^>]*/gi)) {
    const content = /\scontent\s*=\s*("[^"]*"|'[^']*'|\S+)/i.exec(tag)
    const rest = content === null ? tag : tag.replace(content[0], () => '')
    const isType = /\shttp-equiv\s*=\s*["']?\s*content-type/i.test(rest)
    const label = /\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(isType ? (content?.[1] ?? '') : rest)?.[1]
    // A text in which this could be read is no UTF-16.
    if (label !== undefined) return /^utf-?16/i.test(label) ? 'utf-8' : label
  }
  return undefined
}

/** The encoding that a page, an XML file or a style sheet declares, as browsers read it. Null for none. */
export const findDeclaredEncoding = (content: Buffer): string | null => {
  const mark = findMark(content)
  if (mark !== null) return mark
  const label = findLabel(content.toString('latin1', 0, headBytes))
  try {
    return label === undefined ? null : new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** `isMarkup`: the text may declare its encoding. Without a declaration, text that is no UTF-8 is in the `usual` encoding, Western European unless more is known. */
export const decodeText = (content: Buffer, isMarkup: boolean, usual = 'windows-1252'): string => {
  const declared = isMarkup ? findDeclaredEncoding(content) : findMark(content)
  const encoding = declared ?? (isUtf8(content) ? 'utf-8' : usual)
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(content)
  return content.toString('utf8', findMark(content) === null ? 0 : 3)
}

/** The beginning of a text, for ASCII only; null for other bytes. */
export const readBeginning = (head: Buffer): string | null => {
  const mark = findMark(head)
  const text = mark?.startsWith('utf-16')
    ? new TextDecoder(mark).decode(head)
    : head.toString('latin1', mark === null ? 0 : 3)
  // oxlint-disable-next-line no-control-regex -- No text has these characters.
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text
}

export const createUtf8Test = () => {
  let isValid = true
  let rest = Buffer.alloc(0)
  return {
    add: (piece: Uint8Array) => {
      if (!isValid) return
      const bytes = Buffer.concat([rest, piece])
      // The last character may go on in the next piece.
      const last = [1, 2, 3, 4].find((back) => (bytes.at(-back)! & 0xc0) !== 0x80) ?? 0
      const end = Math.max(0, bytes.length - last)
      isValid = isUtf8(bytes.subarray(0, end))
      rest = bytes.subarray(end)
    },
    end: () => isValid && isUtf8(rest),
  }
}
