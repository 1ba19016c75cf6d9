import { announce } from '#lib/state/announcements.ts'

const gapPx = 4
const edgePx = 8

/** Places a popover below its anchor, or above it if there is no room below. Closes it when the anchor leaves the screen. */
export const placePopover = (popover: HTMLElement, anchor: HTMLElement): void => {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const isOut = at.bottom < 0 || at.top > innerHeight
  if (isOut) return popover.hidePopover()
  const fitsBelow = at.bottom + gapPx + height + edgePx <= innerHeight
  popover.style.left = `${Math.max(edgePx, Math.min(at.right - width, innerWidth - width - edgePx))}px`
  popover.style.top = `${fitsBelow ? at.bottom + gapPx : Math.max(edgePx, at.top - gapPx - height)}px`
  popover.dataset['placed'] = ''
}

let hideShown: (() => void) | undefined

/** Hides the reason that is shown, as when its page goes. */
export const hideReason = (): void => hideShown?.()

/**
 * Shows beside a control why it does nothing, until the next press, Escape, scrolling or page. A tooltip would not do: touch screens and
 * keyboards have none.
 */
export const showReason = (anchor: HTMLElement, reason: string): void => {
  const note = document.createElement('p')
  note.popover = 'auto'
  note.dir = 'auto'
  note.textContent = reason
  note.className =
    'invisible fixed inset-auto m-0 max-w-xs rounded-lg border border-line bg-raised px-3 py-2 text-sm text-text shadow-float wrap-anywhere data-placed:visible'
  // Everything outside an open dialog is inert.
  const layer = anchor.closest('dialog') ?? document.body
  layer.append(note)
  const close = () => note.remove()
  hideShown = close
  note.addEventListener('toggle', (event) => event.newState === 'closed' && close())
  addEventListener('scroll', close, { capture: true, passive: true, once: true })
  note.showPopover()
  placePopover(note, anchor)
  announce(reason)
}
