import { tsPlugin } from '@sveltejs/acorn-typescript'
import { Parser } from 'acorn'
import jsx from 'acorn-jsx'
import type { Expression, Program } from 'estree'

/** Maximum length of the source of a module. Characters. */
const maxSource = 256 * 1024

const scripts = Parser.extend(jsx())
const typedScripts = Parser.extend(tsPlugin())
const typedPages = Parser.extend(tsPlugin({ jsx: true }))

/** Parses a module by the ending of its file, `.tsx` for example. Throws a `SyntaxError`, even if the text is only too long. */
export const parseSource = (source: string, file: string): Program => {
  if (source.length > maxSource) throw new SyntaxError(`it has more than ${maxSource / 1024} kB`)
  const parser = /\.[cm]?ts$/i.test(file) ? typedScripts : /\.tsx$/i.test(file) ? typedPages : scripts
  const isTyped = parser !== scripts
  return parser.parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    ...(isTyped ? { locations: true } : {}),
  }) as unknown as Program
}

/** Parses one expression as `parseSource` parses a module. Throws a `SyntaxError`. */
export const parseExpression = (source: string, file: string): Expression => {
  const [statement] = parseSource(`(${source})`, file).body
  if (statement?.type !== 'ExpressionStatement') throw new SyntaxError('it is no expression')
  return statement.expression
}
