import type { TokenScope } from '#ground/http/access/token-scope.ts'

export type Subject = { domain: string } | { projectId: string }

export type PerConnection<Operations> = {
  /** Throws `conflict` with the reason while the records of the connection are read-only. */
  open: (connectionId: string) => Operations
  /** Undefined while the records are read-only. */
  find: (connectionId: string) => Operations | undefined
  /**
   * Chooses the connection of a request: the one it names, else the only one that the caller may use. Only chooses among those that
   * `subject` belongs to. Throws `not_found`, `forbidden`, `conflict` and, when the choice is not clear, `invalid_request`.
   */
  choose: (connectionId: string | undefined, scope: TokenScope, subject?: Subject) => Promise<string>
  all: () => Operations[]
  /** True for Docket's own service, whose links may lead to this machine. */
  isEmbedded: (connectionId: string) => boolean
}

export const pickPart = <Operations, Part>(
  connections: PerConnection<Operations>,
  pick: (operations: Operations) => Part,
): PerConnection<Part> => {
  const { choose, isEmbedded } = connections
  return {
    choose,
    isEmbedded,
    open: (connectionId) => pick(connections.open(connectionId)),
    find: (connectionId) => {
      const found = connections.find(connectionId)
      return found && pick(found)
    },
    all: () => connections.all().map(pick),
  }
}
