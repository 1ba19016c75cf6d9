import type { Ending } from '@docket/api-types/activity'
import type { HistoryKind } from '@docket/api-types/history'
import type { Actor } from '#identity/actor.ts'

/** An event of a record, before it is written. Texts may come from upstream. */
export type NewEvent = {
  kind: HistoryKind
  at: Date
  /** End of a `not_observed` gap. */
  until?: Date
  /** The changed field, in the words of the page. */
  field?: string
  from?: string | null
  to?: string | null
  /** The person, or Docket. Undefined for a change of the service. */
  by?: Actor
  /** Set when the event is worth a notice on other pages. */
  ending?: Ending
}
