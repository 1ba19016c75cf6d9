import fc from 'fast-check'

/** Names through which a program could escape the language: globals, prototypes, and their members. */
export const waysOut =
  `globalThis process require module eval Function constructor __proto__ prototype __defineGetter__ __lookupGetter__
hasOwnProperty valueOf toLocaleString call apply bind caller arguments callee this window self global Reflect Proxy Symbol Promise WebAssembly
import fetch setTimeout queueMicrotask Buffer console nodes kind names outer run budget`.split(/\s+/)

const listed =
  `map filter join slice includes split trim concat flat reverse sort find some every reduce repeat padStart replaceAll length at
toString flatMap indexOf`.split(/\s+/)

const wayOut = fc.constantFrom(...waysOut)
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'f', 'g', 'List', 'Object', 'String', 'Math', 'useState') },
  { weight: 1, arbitrary: wayOut },
)
const key = fc.oneof(fc.constantFrom('a', 'b', 'length', '0', 'size', 'get'), wayOut, fc.constantFrom(...listed))
const text = fc.oneof(fc.constantFrom(...waysOut, '', 'x', '0', 'length'), fc.string({ maxLength: 6 }))

/** Expressions of every supported kind, and many that must be rejected. */
const expression: fc.Arbitrary<string> = fc.letrec<{ any: string; known: string }>((tie) => {
  const any = tie('any')
  const two = fc.tuple(any, any)
  return {
    known: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('"text"', '1.5', 'true', '[1, "a"]', '({ a: [1], b: "x" })', '((a) => a)', '<b title="x">y</b>'),
      fc.constantFrom('[]', '({})', '""', 'useState(1)', 'Object.entries({ a: 1 })', '"a b".split(" ")', 'null'),
      any.map((value) => `[${value}, ${value}]`),
      fc.tuple(key, any).map(([way, value]) => `({ ${JSON.stringify(way)}: ${value} })`),
      any.map((value) => `((...a) => ${value})`),
    ),
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      name,
      // Values that exist, and the members they have in JavaScript.
      tie('known'),
      { weight: 3, arbitrary: fc.tuple(tie('known'), key).map(([owner, way]) => `(${owner}).${way}`) },
      {
        weight: 3,
        arbitrary: fc.tuple(tie('known'), text).map(([owner, way]) => `(${owner})[${JSON.stringify(way)}]`),
      },
      fc.tuple(key, tie('known')).map(([way, owner]) => `(({ ${JSON.stringify(way)}: a }) => a)(${owner})`),
      fc.tuple(tie('known'), key, tie('known')).map(([owner, way, given]) => `(${owner}).${way}(${given})`),
      text.map((value) => JSON.stringify(value)),
      fc.constantFrom('0', '1', '-1', '1e9', '1e308', 'null', 'undefined', 'NaN', '/a+/', '10n', '[]', '({})'),
      fc.tuple(any, key).map(([owner, way]) => `(${owner}).${way}`),
      two.map(([owner, way]) => `(${owner})[${way}]`),
      fc.tuple(any, key, any).map(([owner, way, given]) => `(${owner}).${way}(${given})`),
      fc
        .tuple(any, fc.constantFrom(...listed), any)
        .map(([owner, method, given]) => `(${owner})?.${method}((a, b) => ${given})`),
      two.map(([called, given]) => `(${called})(${given})`),
      two.map(([called, given]) => `new (${called})(${given})`),
      two.map(([first, second]) => `[${first}, ...[${second}]]`),
      fc.tuple(key, any, any).map(([way, first, second]) => `({ ${JSON.stringify(way)}: ${first}, ...${second} })`),
      fc
        .tuple(
          any,
          fc.constantFrom('+', '-', '*', '**', '===', '==', '<', '&&', '||', '??', 'in', 'instanceof', '|'),
          any,
        )
        .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
      fc.tuple(any, any, any).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      two.map(([first, second]) => `\`\${${first}}-\${${second}}\``),
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

const declaration = fc
  .tuple(fc.constantFrom('a', 'b', 'f', 'g', 'List'), expression)
  .map(([given, value]) => `export const ${given} = ${value}`)

/** Modules with a default export. Not all of them parse. */
export const programs: fc.Arbitrary<string> = fc
  .tuple(fc.uniqueArray(declaration, { maxLength: 4, selector: (line) => line.slice(0, 15) }), expression)
  .map(([lines, last]) => [...lines, `export default ${last}`].join('\n'))
