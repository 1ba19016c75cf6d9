import { useSyncExternalStore } from 'react'
import { createStore, readStored, writeStored } from '#lib/state/store.ts'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { createMediaHook } from './use-media.ts'

type DiffLayout = 'unified' | 'side-by-side'

const chosenLayout = createStore<DiffLayout>(
  readStored('local', 'diff-layout') === 'side-by-side' ? 'side-by-side' : 'unified',
)

const chooseDiffLayout = (layout: DiffLayout): void => {
  writeStored('local', 'diff-layout', layout === 'unified' ? null : layout)
  chosenLayout.set(layout)
}

const useHasRoomForTwo = createMediaHook('(width >= 52rem)')

/** The chosen layout, and whether the window has room to choose. Narrow windows always show the unified one. */
export const useDiffLayout = (): { layout: DiffLayout; canChoose: boolean } => {
  const canChoose = useHasRoomForTwo()
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
