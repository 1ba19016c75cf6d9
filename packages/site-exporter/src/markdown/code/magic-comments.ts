const comment = /^(?:\/\/|#|--|%|;|REM\b|<!--|\{?\/\*)?[ \t]*highlight-(next-line|start|end)[ \t]*(?:-->|\*\/\}?)?$/

/** Removes lines such as `// highlight-next-line` and `# highlight-start`, and returns the numbers of the lines they mark. */
export const takeMagicComments = (source: string): { code: string; lines: number[] } => {
  if (!source.includes('highlight-')) return { code: source, lines: [] }
  const kept: string[] = []
  const lines: number[] = []
  let [isOpen, isNext] = [false, false]
  for (const line of source.split('\n')) {
    const text = line.trim()
    const command = text.length > 100 || text.startsWith('highlight-') ? undefined : comment.exec(text)?.[1]
    if (command === 'next-line') isNext = true
    else if (command !== undefined) isOpen = command === 'start'
    else {
      kept.push(line)
      if (isOpen || isNext) lines.push(kept.length)
      isNext = false
    }
  }
  return { code: kept.join('\n'), lines }
}
