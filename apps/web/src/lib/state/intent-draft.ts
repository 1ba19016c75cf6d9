import { createUuid } from '#lib/uuid.ts'

/** Draft of a form, with the id of its intent once sent. */
export type IntentDraft<Fields extends object> = Fields & {
  requestId: string | null
  /** The fields as they were sent under `requestId`. */
  sentAs: string | null
}

export const createDraft = <Fields extends object>(fields: Fields): IntentDraft<Fields> => ({
  ...fields,
  requestId: null,
  sentAs: null,
})

const stringifyFields = <Fields extends object>({ requestId, sentAs, ...fields }: IntentDraft<Fields>): string =>
  JSON.stringify(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/**
 * Adds the id to send the draft under. An unchanged, unanswered draft keeps its id, so that a retry starts nothing twice.
 */
export const asIntent = <Fields extends object>(
  draft: IntentDraft<Fields>,
): IntentDraft<Fields> & { requestId: string } => {
  const fields = stringifyFields(draft)
  const requestId = draft.requestId !== null && draft.sentAs === fields ? draft.requestId : createUuid()
  return { ...draft, requestId, sentAs: fields }
}
