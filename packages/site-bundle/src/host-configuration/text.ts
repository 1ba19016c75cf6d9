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

/** Longer ones are matched without encoded letters: nginx reads at most 4,096 bytes of a text. */
const maxLetters = 250

/** Regular expression for an address as somebody asks for it: each character as it is, or encoded. */
export const matchAsked = (decoded: string): string =>
  decoded.replaceAll(/[^/]/gu, (character) => {
    const plain = /[\w-]/.test(character)
    if (plain && decoded.length > maxLetters) return character
    const encoded = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    return character < '\u0080'
      ? `(?:${plain ? character : toHexEscape(character.codePointAt(0)!)}|(?i:${encoded}))`
      : `(?i:${encoded})`
  })

/** The same text as it may be stored or asked for, in any of its Unicode forms. */
export const listForms = (text: string): string[] => [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])]

export const matchForms = (text: string, match: (form: string) => string): string => {
  const forms = [...new Set(listForms(text).map(match))]
  return forms.length === 1 ? forms[0]! : `(?:${forms.join('|')})`
}

export const encodeAddress = (decoded: string): string => decoded.split('/').map(encodeURIComponent).join('/')
