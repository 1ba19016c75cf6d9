import fc from 'fast-check'

/** Names that lead out of the language wherever it has a hole: globals, prototypes, and what hangs on them. */
export const waysOut =
  `globalThis process require module eval Function constructor __proto__ prototype __defineGetter__ __lookupGetter__
hasOwnProperty valueOf toLocaleString call apply bind caller arguments callee this window self global Reflect Proxy Symbol Promise WebAssembly
import fetch setTimeout queueMicrotask Buffer console nodes kind names outer run budget`.split(/\s+/)

const listed =
  `map filter join slice includes split trim concat flat reverse sort find some every reduce repeat padStart replaceAll length at
toString flatMap indexOf`.split(/\s+/)

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'f', 'g', 'props', 'List', 'children') },
  { weight: 2, arbitrary: fc.constantFrom(...waysOut) },
  { weight: 2, arbitrary: fc.constantFrom('Object', 'String', 'Array', 'Math', 'useState', 'React', ...listed) },
)
const text = fc.oneof(fc.constantFrom(...waysOut, '', 'x', '0', 'length'), fc.string({ maxLength: 6 }))

/** Expressions of every kind that the language has, and many that it must refuse. */
const expression: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => {
  const any = tie('any')
  const two = fc.tuple(any, any)
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      name,
      text.map((value) => JSON.stringify(value)),
      fc.constantFrom('0', '1', '-1', '1e9', '1e308', 'null', 'undefined', 'NaN', '/a+/', '10n', '[]', '({})'),
      fc.tuple(any, name).map(([owner, key]) => `(${owner}).${key}`),
      two.map(([owner, key]) => `(${owner})[${key}]`),
      fc.tuple(any, name, any).map(([owner, key, given]) => `(${owner}).${key}(${given})`),
      fc.tuple(any, fc.constantFrom(...listed), any).map(([owner, key, given]) => `(${owner})?.${key}(x => ${given})`),
      two.map(([called, given]) => `(${called})(${given})`),
      two.map(([called, given]) => `new (${called})(${given})`),
      two.map(([first, second]) => `[${first}, ...[${second}]]`),
      fc.tuple(name, any, any).map(([key, first, second]) => `({ ${JSON.stringify(key)}: ${first}, ...${second} })`),
      fc
        .tuple(
          any,
          fc.constantFrom('+', '-', '*', '**', '===', '==', '<', '&&', '||', '??', 'in', 'instanceof', '|'),
          any,
        )
        .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
      fc.tuple(any, any, any).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc.tuple(name, any).map(([key, value]) => `\`\${${key}}-\${${value}}\``),
      fc
        .tuple(fc.constantFrom('typeof', '!', 'void', 'delete', '-'), any)
        .map(([sign, value]) => `(${sign} (${value}))`),
      fc
        .tuple(fc.constantFrom('a', '{ a }', '[a]', '...a', '{ a = b, ...f }'), any)
        .map(([given, body]) => `((${given}) => ${body})`),
      any.map((body) => `(function g(a) { if (a) { return ${body} } return a })`),
      fc
        .tuple(fc.constantFrom('b', 'List', 'g.a', 'React.Fragment'), any, any)
        .map(([tag, value, child]) => `<${tag} {...(${value})} title={${value}}>{${child}} text</${tag}>`),
      any.map((value) => `(a = ${value})`),
      any.map((value) => `import(${value})`),
    ),
  }
}).any

const reserved = new Set(['this', 'import', 'eval', 'arguments'])
const declaration = fc
  .tuple(fc.constantFrom('a', 'b', 'f', 'g', 'List'), expression)
  .map(([given, value]) => `export const ${given} = ${value}`)

/** Modules with a default export. Not all of them parse. */
export const programs: fc.Arbitrary<string> = fc
  .tuple(fc.uniqueArray(declaration, { maxLength: 4, selector: (line) => line.slice(0, 15) }), expression)
  .map(([lines, last]) => [...lines, `export default ${last}`].join('\n'))
  .filter((source) => !reserved.has(source))
