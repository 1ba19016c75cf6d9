import { maxDepth } from './budget.ts'

export const voidElements = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i
/** Elements whose content is not markup. They have no effect in an exported page. */
const raw = /^(script|style)$/i
const tagName = /^<([A-Za-z$_][\w$.:-]*)?/

/** Turns Astro markup into one JSX expression: closes void elements, drops comments, scripts and styles, keeps spaces. Throws a `SyntaxError`. */
export const astroToJsx = (source: string): string => {
  let at = 0
  let depth = 0
  let out = ''

  const fail = (what: string): never => {
    throw new SyntaxError(`${what} that does not end`)
  }
  const skipTo = (mark: string) => {
    const end = source.indexOf(mark, at)
    at = end < 0 ? source.length : end + mark.length
  }

  const markup = (isPlain: boolean): void => {
    if (++depth > maxDepth) fail('an element')
    while (at < source.length && !source.startsWith('</', at)) {
      if (source.startsWith('<!--', at)) skipTo('-->')
      else if (source.startsWith('<!', at)) skipTo('>')
      else if (source[at] === '<' && /[A-Za-z$_>]/.test(source[at + 1] ?? '')) element()
      else if (source[at] === '{') expression()
      else text(isPlain)
    }
    depth -= 1
  }

  const text = (isPlain: boolean) => {
    const from = at
    at += 1
    while (at < source.length && source[at] !== '<' && source[at] !== '{') at += 1
    const value = source.slice(from, at)
    // JSX text would lose its line breaks.
    out += isPlain ? keepLineBreaks(value) : escapeJsxText(joinLines(value))
  }

  const element = () => {
    const [open, name = ''] = tagName.exec(source.slice(at, at + 100)) ?? ['<']
    at += open.length
    const tag = name === 'slot' ? '$Slot' : name
    const before = out.length
    out += `<${tag}`
    const isClosed = attributes()
    if (raw.test(name)) {
      out = out.slice(0, before)
      if (isClosed) return
      const end = new RegExp(`</${name}\\s*>`, 'gi')
      end.lastIndex = at
      at = end.exec(source) ? end.lastIndex : source.length
    } else if (isClosed || voidElements.test(name)) out += ' />'
    else {
      out += '>'
      markup(/^(pre|textarea)$/.test(name))
      if (!source.startsWith(`</${name}`, at)) fail(`<${name}>`)
      skipTo('>')
      out += `</${tag}>`
    }
  }

  const attributes = (): boolean => {
    for (;;) {
      while (/\s/.test(source[at] ?? '')) at += 1
      if (at >= source.length) fail('a tag')
      if (source.startsWith('/>', at)) {
        at += 2
        return true
      }
      if (source[at] === '>') {
        at += 1
        return false
      }
      if (source[at] === '{') {
        shorthand()
        continue
      }
      const [name = ''] = /^[^\s=>/{}]+/.exec(source.slice(at, at + 200)) ?? []
      if (name === '') fail('a tag')
      at += name.length
      // JSX does not allow names such as `@click`, and nothing reads them.
      const isNamed = /^[A-Za-z_][\w-]*(:[\w-]+)?$/.test(name)
      const before = out.length
      out += ` ${name}`
      if (source[at] === '=') {
        at += 1
        out += '='
        attributeValue()
      }
      if (!isNamed) out = out.slice(0, before)
    }
  }

  /** Reads `{name}`, which is `name={name}`, or `{...spread}`. */
  const shorthand = () => {
    const [whole, name] = /^\{\s*([A-Za-z_$][\w$]*)\s*\}/.exec(source.slice(at, at + 200)) ?? []
    out += ' '
    if (whole === undefined) expression()
    else {
      at += whole.length
      out += `${name}={${name}}`
    }
  }

  const attributeValue = () => {
    const quote = source[at]
    if (quote === '{') expression()
    else if (quote === '`') {
      out += '{'
      string()
      out += '}'
    } else if (quote === '"' || quote === "'") {
      const end = source.indexOf(quote, at + 1)
      if (end < 0) fail('an attribute')
      out += source.slice(at, end + 1)
      at = end + 1
    } else {
      const [value = ''] = /^[^\s>]+/.exec(source.slice(at)) ?? []
      at += value.length
      out += `"${value.replaceAll('"', '')}"`
    }
  }

  const string = () => {
    const quote = source[at]
    out += quote
    for (at += 1; source[at] !== quote;) {
      if (at >= source.length) fail('a text')
      if (quote === '`' && source.startsWith('${', at)) {
        out += '$'
        at += 1
        expression()
        continue
      }
      const length = source[at] === '\\' ? 2 : 1
      out += source.slice(at, at + length)
      at += length
    }
    out += quote
    at += 1
  }

  /** Copies `{ … }`, with the markup in it as a fragment. */
  const expression = () => {
    if (++depth > maxDepth) fail('an expression')
    out += '{'
    at += 1
    while (source[at] !== '}') {
      const char = source[at]
      if (char === undefined) fail('an expression')
      if (char === '{') expression()
      else if (char === '"' || char === "'" || char === '`') string()
      else if (source.startsWith('//', at)) skipTo('\n')
      else if (source.startsWith('/*', at)) skipTo('*/')
      else if (source.startsWith('<!--', at)) skipTo('-->')
      else if (char === '<' && /[A-Za-z$_>]/.test(source[at + 1] ?? '') && isBeforeMarkup(out)) fragment()
      else {
        out += char
        at += 1
      }
    }
    out += '}'
    at += 1
    depth -= 1
  }

  const fragment = () => {
    out += '<>'
    do {
      element()
      const [space = ''] = /^\s*/.exec(source.slice(at)) ?? []
      if (/^<[A-Za-z>]/.test(source.slice(at + space.length, at + space.length + 2))) at += space.length
    } while (/^<[A-Za-z>]/.test(source.slice(at, at + 2)))
    out += '</>'
  }

  markup(false)
  if (at < source.length) throw new SyntaxError(`an end tag without an element: ${source.slice(at, at + 30)}`)
  return `<>${out}</>`
}

/** True if no JavaScript operand precedes the `<`. */
const isBeforeMarkup = (out: string) => /(?:[(,=?:&|>{[;}!]|\breturn)$/.test(out.slice(-200).trimEnd())

const escapeJsxText = (text: string) => text.replaceAll('>', '&gt;').replaceAll('}', '&#125;')
/** Replaces line breaks and the spaces around them by one space. A single regular expression would take quadratic time. */
const joinLines = (text: string) =>
  text
    .split(/[\r\n]+/)
    .map((line, index, all) => {
      const begun = index === 0 ? line : line.trimStart()
      return index === all.length - 1 ? begun : begun.trimEnd()
    })
    .filter((line, index, all) => line !== '' || index === 0 || index === all.length - 1)
    .join(' ')
const keepLineBreaks = (text: string) =>
  text
    .split('\n')
    .map((line) => escapeJsxText(line))
    .join('{"\\n"}')
