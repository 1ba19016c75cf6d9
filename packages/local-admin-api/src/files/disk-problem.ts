const problems: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the service is full',
  EDQUOT: 'The disk quota of the service is used up',
  EFBIG: 'A file would be larger than the machine lets the service write',
  EROFS: 'The disk of the service is read-only',
  EIO: 'The disk of the service does not work',
}

export const noRoom = 'The disk of the service is nearly full, so nothing was started. Make room, then start it again.'

export const failureReason = (error: unknown): string => {
  const problem = diskProblem(error)
  if (problem !== null) return `${problem}. Make room, and start the export again`
  return error instanceof Error ? error.message : String(error)
}

/** Describes a disk problem in a sentence without a full stop; null for any other error. */
export const diskProblem = (error: unknown): string | null => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  // git passes the system's words on, not its code.
  const text = error instanceof Error && /No space left on device/.test(error.message) ? 'ENOSPC' : undefined
  return problems[code ?? text ?? ''] ?? null
}
