/**
 * Splits a configured command into words at blanks; single or double quotes keep words together. Throws with a sentence when it is empty
 * or a quote is open.
 */
export const splitCommandLine = (command: string): [string, ...string[]] => {
  const words: string[] = []
  const pattern = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)/y
  let rest = command.trimEnd()
  while (rest !== '') {
    pattern.lastIndex = 0
    const match = pattern.exec(rest)
    if (!match) throw new Error(`The command of agent jobs has a quote that is not closed: ${command}`)
    words.push(match[1]!.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
    rest = rest.slice(match[0].length)
  }
  const [program, ...others] = words
  if (program === undefined) throw new Error('The command of agent jobs is empty.')
  return [program, ...others]
}
