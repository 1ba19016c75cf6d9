export type Call = {
  args: string[]
  env: NodeJS.ProcessEnv
  /** Folder that the paths among the arguments are relative to. */
  from: string
  usage: string
  print: (line: string) => void
  warn: (line: string) => void
}

/** A command of Docket. Returns its exit code. Throws what `sayFailure` can describe. */
export type Command = (call: Call) => Promise<number>
