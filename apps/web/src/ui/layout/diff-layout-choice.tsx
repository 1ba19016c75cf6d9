import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { chooseDiffLayout, useDiffLayout, type DiffLayout } from './diff-layout.ts'

const layouts: Readonly<Record<DiffLayout, string>> = { unified: 'Unified', 'side-by-side': 'Side by side' }

/** Switch between the layouts of a diff. Renders nothing where two columns don't fit. */
export const DiffLayoutChoice = () => {
  const { layout, canChoose } = useDiffLayout()
  return (
    canChoose && (
      <PressedButtons label="Layout of changes" options={layouts} value={layout} onChange={chooseDiffLayout} />
    )
  )
}
