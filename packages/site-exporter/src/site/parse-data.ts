import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { parse as parseTomlDocument } from 'smol-toml'
import { isAlias, isScalar, parseDocument, visit, type Scalar, type Tags } from 'yaml'
import { asData, isData } from './data.ts'

/** What could be read of a file, and the reason and line why the rest could not, or null. */
export type Parsed = { value: unknown; problem: string | null }

/** Maximum length of YAML, because its keys are compared in quadratic time. Characters. */
const maxYaml = 256 * 1024
/** Maximum number of parts that are read one by one after a mistake. */
const maxParts = 500
const maxReason = 200

type Mistake = { message?: string; linePos?: { line: number }[]; loc?: { line: number }; line?: number }

/** A reason with the line in the file, of which `lines` precede the text. */
export const describeMistake = (error: unknown, lines = 0): string => {
  const { message = String(error), linePos, loc, line } = error as Mistake
  const at = linePos?.[0]?.line ?? loc?.line ?? line ?? null
  const reason = message.replace(/ \(\d+:\d+\)$|^Invalid TOML document: |((:| ')?\n| at line \d).*$/gs, '')
  return reason.slice(0, maxReason) + (at === null ? '' : `, line ${at + lines}`)
}

/** Reads a whole text, or after a mistake its parts one by one. */
const parseWhole = (
  text: string,
  lines: number,
  read: (text: string) => unknown,
  parts: () => Iterable<unknown>,
): Parsed => {
  try {
    return { value: read(text), problem: null }
  } catch (error) {
    const found = new Map<string, unknown>()
    for (const part of parts())
      for (const [key, item] of Object.entries(asData(part)))
        found.set(key, isData(item) ? { ...asData(found.get(key)), ...item } : item)
    return { value: found.size > 0 ? Object.fromEntries(found) : null, problem: describeMistake(error, lines) }
  }
}

const nullIfInvalid = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return null
  }
}

const texts = 'title label name text description tagline details tag badge version content'
const groups = 'group tab anchor dropdown product item'
/** Keys whose values are texts for readers, and stay as they were written: `title`, `sidebar_label`, and not `hide_title`. */
const isText = new RegExp(`^(?!hide|show|use|no|is)[^]*(?:${`${texts} ${groups}`.replaceAll(' ', '|')})$`, 'i')

/**
 * Reads YAML with a limit on aliases; tags other than `customTags` stay plain values. Keys and texts for readers stay as they were
 * written: `1.10`, not 1.1. After a mistake, reads the other top-level keys. `lines` precede the text in its file.
 */
export const parseYaml = (text: string, customTags: Tags = [], lines = 0): Parsed => {
  if (text.length > maxYaml) return { value: null, problem: `it has more than ${maxYaml / 1024} kB` }
  const read = (part: string, isWhole = true): unknown => {
    const document = parseDocument(part, { schema: 'core', merge: true, logLevel: 'silent', customTags })
    if (isWhole && document.errors.length > 0) throw document.errors[0]!
    visit(document, {
      Pair: (_, { key, value }) => {
        // A key without a text is none.
        if (isScalar(key)) key.value = (key.value === null && key.source) || toWritten(key)
        const scalar = isAlias(value) ? value.resolve(document) : value
        if (isScalar(key) && isScalar(scalar) && isText.test(String(key.value))) scalar.value = toWritten(scalar)
      },
    })
    return document.toJS({ maxAliasCount: 50 })
  }
  return parseWhole(text, lines, read, () =>
    text.split(/^(?=[^\s#-])/m, maxParts).map((part) => {
      const [, key = '', rest = ''] = /^["']?([^\s"':#][^"':\n]*)["']?:([^\n]*)/.exec(part) ?? []
      const first = rest.trim()
      // A text is better whole than in parts; of other values, the parser keeps what comes before the mistake.
      const isLine = isText.test(key) && part.trim().indexOf('\n') < 0
      if (key === '' || !(isLine ? /^[^>]/ : /^[^[{&*!|>]/).test(first))
        return key && nullIfInvalid(() => read(part, false))
      return nullIfInvalid(() => read(part)) ?? { [key]: first.replace(/^(["'])(.*?)\1?$/, '$2') }
    }),
  )
}

/** A plain value that YAML took for a number or another type, as it was written. */
const toWritten = ({ type, source, value }: Scalar): unknown =>
  type === 'PLAIN' && source !== undefined && value !== null && typeof value !== 'symbol' ? source : value

/** Strings and comments of TOML, or a bare key with a value that is no string, list or table. */
const tomlParts =
  /"{3}[^]*?(?:"{3}|$)|'{3}[^]*?(?:'{3}|$)|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|#.*|(?<![\w-])([\w-]+)([ \t]*=[ \t]*)([^\s"'[{#,][^#,\n}\]]*)/g

/** Reads TOML. After a mistake, reads the other lines. */
export const parseToml = (text: string, lines = 0): Parsed => {
  const quoted = text.replace(tomlParts, (part: string, key?: string, equals = '', value = '') =>
    key !== undefined && isText.test(key) ? `${key}${equals}${JSON.stringify(value.trim())}` : part,
  )
  let table = ''
  return parseWhole(quoted, lines, parseTomlDocument, () =>
    quoted.split('\n', maxParts).map((line) => {
      table = /^\s*(\[[^[\]]+\])/.exec(line)?.[1] ?? table
      return nullIfInvalid(() => parseTomlDocument(`${table}\n${line}`))
    }),
  )
}

/** Reads JSON, which may have comments and trailing commas. After a mistake, reads what it leaves whole. */
export const parseJson = (text: string): Parsed => {
  const mistakes: ParseError[] = []
  const read = ({ type, value, offset, length, children = [] }: Node, name = ''): unknown => {
    if (type === 'array') return children.map((item) => read(item))
    if (type === 'object')
      return Object.fromEntries(
        children.flatMap(({ children: [key, item] = [] }) => {
          const own = String(key?.value)
          return item ? [[own, read(item, own)]] : []
        }),
      )
    const isWritten = type !== 'string' && value !== null && isText.test(name)
    return isWritten ? text.slice(offset, offset + length) : value
  }
  try {
    const tree = parseTree(text, mistakes, { allowTrailingComma: true })
    const value = tree ? read(tree) : null
    if (mistakes[0] === undefined) return { value, problem: null }
    const reason = printParseErrorCode(mistakes[0].error).replace(
      /(?<=.)[A-Z]/g,
      (letter) => ` ${letter.toLowerCase()}`,
    )
    return { value, problem: `${reason}, line ${text.slice(0, mistakes[0].offset).split('\n').length}` }
  } catch {
    return { value: null, problem: 'it is nested too deep' }
  }
}
