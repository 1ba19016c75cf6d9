import { toastUndo } from '#ui/live/use-write.ts'

const rowSelector = '[role="listitem"], li:has(> article)'

const findMenu = (row: Element) => row.querySelector<HTMLElement>('[aria-haspopup="menu"]')

/** Focuses an element that takes the focus only from a script. */
const focusByScript = (element: HTMLElement | null | undefined) => {
  if (!element) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: element.matches('main') })
}

/** True when moving the focus does not interrupt the user: it was lost with its row, or is still in that row. */
const mayMoveFocus = (row: Element | null) =>
  document.activeElement === null || document.activeElement === document.body || row?.contains(document.activeElement)

/**
 * Remembers the focused row, which is about to be removed. Returns null outside lists; otherwise a function that moves the focus to the
 * menu of the next row, else of the previous row, else to the heading of the list.
 */
const rememberFocusedRow = (): (() => void) | null => {
  const row = document.activeElement?.closest(rowSelector) ?? null
  if (row === null) return null
  const list = row.closest('section')
  const rows = [...(list?.querySelectorAll(rowSelector) ?? [])]
  const index = rows.indexOf(row)
  const others = [...rows.slice(index + 1), ...rows.slice(0, index).toReversed()]
  return () => {
    if (!mayMoveFocus(row)) return
    const next = others.find((other) => other.isConnected && findMenu(other))
    if (next) findMenu(next)?.focus()
    else focusByScript(list?.isConnected ? list.querySelector('h2') : document.querySelector('main'))
  }
}

/** Focuses the menu of a record's row once it is in a list again; gives up after a second. */
export const focusRow = (recordId: string, framesLeft = 60): void => {
  const row = document.querySelector(`main article[data-record="${CSS.escape(recordId)}"]`)
  if (!mayMoveFocus(null)) return
  if (row) return findMenu(row)?.focus()
  if (framesLeft === 0) focusByScript(document.querySelector('main'))
  else requestAnimationFrame(() => focusRow(recordId, framesLeft - 1))
}

type Removal = { remove: () => Promise<unknown>; message: string; restore: () => Promise<unknown>; leave: () => void }

/** Removes a record at once and offers to undo it. The focus goes to the next row; `leave` leaves the page of the record. */
export const removeRowWithUndo = (recordId: string, { remove, message, restore, leave }: Removal): void => {
  const focusNext = rememberFocusedRow()
  // Leaves first, so that the page does not read a removed record.
  if (focusNext === null) leave()
  toastUndo(
    remove().then(() => focusNext?.()),
    message,
    () => restore().then(() => focusRow(recordId)),
  )
}
