import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { useSyncExternalStore } from 'react'
import { readStored, writeStored, createStore } from '#lib/state/store.ts'

type DiffLayout = 'unified' | 'side-by-side'

const chosenLayout = createStore<DiffLayout>(
  readStored('local', 'diff-layout') === 'side-by-side' ? 'side-by-side' : 'unified',
)

const chooseDiffLayout = (layout: DiffLayout): void => {
  writeStored('local', 'diff-layout', layout === 'unified' ? null : layout)
  chosenLayout.set(layout)
}

const roomForTwo = matchMedia('(width >= 52rem)')

const subscribeToRoom = (listener: () => void) => {
  roomForTwo.addEventListener('change', listener)
  return () => roomForTwo.removeEventListener('change', listener)
}

/** The chosen layout, and whether the window has room to choose. Narrow windows always show the unified one. */
export const useDiffLayout = (): { layout: DiffLayout; canChoose: boolean } => {
  const canChoose = useSyncExternalStore(subscribeToRoom, () => roomForTwo.matches)
  const layout = useSyncExternalStore(chosenLayout.subscribe, chosenLayout.get)
  return { layout: canChoose ? layout : 'unified', canChoose }
}

const layouts: Readonly<Record<DiffLayout, string>> = { unified: 'Unified', 'side-by-side': 'Side by side' }

export const DiffLayoutChoice = () => {
  const { layout, canChoose } = useDiffLayout()
  return (
    canChoose && (
      <PressedButtons label="Layout of changes" options={layouts} value={layout} onChange={chooseDiffLayout} />
    )
  )
}
