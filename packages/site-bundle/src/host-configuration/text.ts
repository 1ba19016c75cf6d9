import type { RulePattern } from '#locator/rule-matcher.ts'

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

const maxNotes = 20

export const noteLeftOut = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [
        `${title}: ${lines.length}`,
        ...lines.slice(0, maxNotes).map((line) => `  ${line}`),
        ...(lines.length > maxNotes ? [`  and ${lines.length - maxNotes} more`] : []),
      ]

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

/** Regular expression for the addresses of a rule as somebody asks for them. `group` writes one for a name. */
export const matchRule = ({ parts, hasRest }: RulePattern, group = (pattern: string) => `(${pattern})`): string =>
  [
    ...parts.map((part) => {
      if ('text' in part) return `/${matchForms(part.text, matchAsked)}`
      return `/${group(part.isNumber ? '[0-9]+' : String.raw`[^/?\s]+`)}`
    }),
    hasRest ? `/${group(String.raw`(?:[^/?\x5c\s][^?\s]*)?`)}` : '/?',
  ].join('')

/** What the groups of a rule are called in its target. */
export const listNames = ({ parts, hasRest }: RulePattern): string[] => [
  ...parts.flatMap((part) => ('name' in part ? part.name : [])),
  ...(hasRest ? ['splat'] : []),
]

/** Writes references for the names in a target. */
export const fillNames = (target: string, names: readonly string[], write: (place: number) => string): string =>
  target.replaceAll(/:([a-z]\w*)/gi, (all, name: string) =>
    names.includes(name) ? write(names.lastIndexOf(name)) : all,
  )
