const maxShown = 120

export const toComment = (text: string): string => {
  const visible = text
    .toWellFormed()
    .slice(0, maxShown)
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]/gu, (one) => (one === ' ' ? one : '�'))
  return JSON.stringify(visible).slice(1, -1) + (text.length > maxShown ? '…' : '')
}

export const writeComment = (mark: string, lines: readonly string[]): string =>
  lines.map((line) => `${mark} ${line}`.trimEnd()).join('\n')

const toHexEscape = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`

/** Regular expression for exactly this text, for engines that read bytes. Has letters, digits, `/`, `-`, `_` and `\x` only. */
export const matchBytes = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => (/[\w/-]/.test(String.fromCodePoint(byte)) ? String.fromCodePoint(byte) : toHexEscape(byte)))
    .join('')

/** For engines that read characters. Letters of all scripts stay readable. */
export const matchCharacters = (text: string): string =>
  text.replaceAll(/[^\w/-]/gu, (one) =>
    /[\p{L}\p{N}]/u.test(one)
      ? one
      : one < '\u0080'
        ? toHexEscape(one.codePointAt(0)!)
        : `\\x{${one.codePointAt(0)!.toString(16)}}`,
  )

const matchAnyCase = (digits: string) =>
  digits.replaceAll(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`)

export const matchAsked = (decoded: string): string =>
  [...Buffer.from(decoded)]
    .map((byte) => {
      const character = String.fromCodePoint(byte)
      if (/[\w/-]/.test(character)) return character
      const encoded = `%${matchAnyCase(byte.toString(16).padStart(2, '0'))}`
      return byte < 0x80 ? `(?:${toHexEscape(byte)}|${encoded})` : encoded
    })
    .join('')

export const encodeAddress = (decoded: string): string => decoded.split('/').map(encodeURIComponent).join('/')
