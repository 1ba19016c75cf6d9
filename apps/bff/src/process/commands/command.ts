/** How a command was called, and where it writes to. */
export type Call = {
  /** Arguments after the name of the command. */
  args: string[]
  env: NodeJS.ProcessEnv
  /** Folder that the paths among the arguments are relative to. */
  from: string
  /** How to call the command. */
  usage: string
  /** Writes a line to standard output. */
  print: (line: string) => void
  /** Writes a line to standard error. */
  warn: (line: string) => void
}

/** A command of Docket. Returns its exit code. Throws what `sayFailure` can describe. */
export type Command = (call: Call) => Promise<number>
