import { useEffect, useId, useRef, useState, type ToggleEvent } from 'react'
import { flushSync } from 'react-dom'
import { placePopover } from './reason.ts'

/** Class of a popover: invisible until it has its place. */
export const popoverClass =
  'invisible fixed inset-auto m-0 rounded-lg border border-line bg-raised text-text shadow-float data-placed:visible'

/**
 * Native popover beside its button, `open` while it is rendered: a closed one costs only the button. `onOpened` is called once it is in
 * place.
 */
export const usePlacedPopover = (onOpened?: (popover: HTMLElement) => void) => {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const element = popover.current
    if (!open || !element) return
    // Content above the button can also scroll the page, and late content makes the popover grow.
    const follow = () => {
      if (element.matches(':popover-open') && trigger.current) placePopover(element, trigger.current)
    }
    const sizes = new ResizeObserver(follow)
    sizes.observe(element)
    addEventListener('scroll', follow, { capture: true, passive: true })
    addEventListener('resize', follow)
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', follow, { capture: true })
      removeEventListener('resize', follow)
    }
  }, [open])

  const opened = (element: HTMLElement) => {
    if (!trigger.current || !element.matches(':popover-open')) return
    placePopover(element, trigger.current)
    onOpened?.(element)
  }

  return {
    open,
    hide: () => popover.current?.hidePopover(),
    triggerProps: {
      ref: trigger,
      type: 'button',
      popoverTarget: id,
      'aria-expanded': open,
      // The popover must exist before the browser opens it.
      onClick: () => !open && flushSync(() => setOpen(true)),
    },
    popoverProps: {
      ref: popover,
      id,
      popover: 'auto',
      onToggle: (event: ToggleEvent<HTMLElement>) => {
        // Events of a popover inside this one bubble in React.
        if (event.target !== event.currentTarget) return
        // The popover must exist until the browser has restored the focus.
        if (event.newState === 'closed') setOpen(false)
        else opened(event.currentTarget)
      },
    },
  } as const
}
