const gapPx = 4
const edgePx = 8

/** Places a popover below its anchor, or above it where there is no room. Closes it when the anchor leaves the screen. */
export const place = (popover: HTMLElement, anchor: HTMLElement): void => {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const isOut = at.bottom < 0 || at.top > innerHeight
  if (isOut) return popover.hidePopover()
  const fitsBelow = at.bottom + gapPx + height + edgePx <= innerHeight
  popover.style.left = `${Math.max(edgePx, Math.min(at.right - width, innerWidth - width - edgePx))}px`
  popover.style.top = `${fitsBelow ? at.bottom + gapPx : Math.max(edgePx, at.top - gapPx - height)}px`
  popover.dataset['placed'] = ''
}
