import type { TokenScope } from '#ground/http/access/token-scope.ts'

/** A domain to export, or a project for a new agent job. */
export type Subject = { domain: string } | { projectId: string }

/** What records can do at each connection, for example start and read. */
export type PerConnection<Operations> = {
  /** Returns the operations at the connection of a record. Throws `conflict` with the reason while its records are read-only. */
  open: (connectionId: string) => Operations
  /** Like `open`, but returns undefined while the records are read-only. */
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

/** Restricts `connections` to one part of their operations. */
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
