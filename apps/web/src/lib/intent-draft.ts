import { uuid } from '#lib/uuid.ts'

/** What is typed into a form, and the id of the intent once it was sent. */
export type IntentDraft<Fields extends object> = Fields & {
  requestId: string | null
  /** The fields as they were sent under `requestId`. */
  sentAs: string | null
}

/** A draft that was not sent yet. */
export const newDraft = <Fields extends object>(fields: Fields): IntentDraft<Fields> => ({
  ...fields,
  requestId: null,
  sentAs: null,
})

const printFields = <Fields extends object>({ requestId, sentAs, ...fields }: IntentDraft<Fields>): string =>
  JSON.stringify(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/**
 * The draft with the id to send it under. The same id as before when the same was sent and never answered, so that a retry
 * starts nothing twice; a new one when anything was changed.
 */
export const asIntent = <Fields extends object>(
  draft: IntentDraft<Fields>,
): IntentDraft<Fields> & { requestId: string } => {
  const fields = printFields(draft)
  const requestId = draft.requestId !== null && draft.sentAs === fields ? draft.requestId : uuid()
  return { ...draft, requestId, sentAs: fields }
}
