import { lazy, Suspense, useState, useEffect, useEffectEvent, type FunctionComponent, type ComponentType } from 'react'
import { QuestionDialog } from './dialog.tsx'

/** Delay that leaves the network and the processor to the first paint. Milliseconds. */
const laterMs = 2000

/** A lazy component that is not needed at first. It is loaded soon after, so that it is there when the reader presses something. */
export const lazyWithPreload = <Props,>(load: () => Promise<ComponentType<Props>>) => {
  setTimeout(() => void load().catch(() => {}), laterMs)
  return lazy(async () => ({ default: await load() }))
}

/** Placeholder while the code of a dialog loads; Escape closes it too. */
const DialogLoading = ({ onClose }: { onClose: () => void }): null => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return null
}

type Closable = { onClose: () => void }
type Retriable = { onRetry: () => void }

const DialogNotLoaded = ({ onClose, onRetry }: Closable & Retriable) => (
  <QuestionDialog title="This part could not be loaded" action="Try again" onConfirm={onRetry} onClose={onClose}>
    <p role="alert" className="text-muted">
      Check that Docket is running and that this computer can reach it. What you typed on the page is still there.
    </p>
  </QuestionDialog>
)

/** A dialog whose code loads when it opens. If that fails, it shows an error with a retry button, and the page stays. */
export const lazyDialog = <Props extends Closable>(load: () => Promise<FunctionComponent<Props>>) => {
  const begin = () =>
    lazy<FunctionComponent<Props & Retriable>>(async () => {
      const loaded = await load().catch(() => null)
      // The next opening starts fresh.
      if (loaded === null) latest = begin()
      return { default: loaded ?? DialogNotLoaded }
    })
  let latest = begin()
  return (props: Props) => {
    const [Part, setPart] = useState(() => latest)
    return (
      <Suspense fallback={<DialogLoading onClose={props.onClose} />}>
        <Part {...props} onRetry={() => setPart(() => latest)} />
      </Suspense>
    )
  }
}
