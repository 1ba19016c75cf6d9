const maxNesting = 32

/** Names that change an object's prototype when fields are copied one by one. */
const ofPrototypes: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Finds a problem in JSON that parsers read differently: a repeated name in one object, a prototype's name, or deep nesting. A sentence
 * for the sender. Null for other texts, invalid JSON included.
 */
export const jsonProblem = (text: string): string | null => {
  // In valid JSON every string is closed, so a scan for tokens suffices.
  if (!isJson(text)) return null
  /** Names so far in each enclosing object; null for an array. */
  const around: (Set<string> | null)[] = []
  let isName = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const names = around.at(-1) ?? null
    if (token === '{' || token === '[') {
      if (around.length === maxNesting) return `Lists and objects may be nested ${maxNesting} deep.`
      around.push(token === '{' ? new Set() : null)
      isName = token === '{'
    } else if (token === '}' || token === ']') {
      around.pop()
      isName = false
    } else if (token === ',') isName = names !== null
    else if (token === ':') isName = false
    else if (isName && names !== null) {
      const name = String(JSON.parse(token))
      if (ofPrototypes.has(name)) return `"${name}" is no name of a field.`
      if (names.has(name)) return 'A field is there twice, so it is not clear which one counts.'
      names.add(name)
    }
  }
  return null
}
