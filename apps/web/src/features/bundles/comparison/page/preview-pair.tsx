import { useId, useState, type ComponentType } from 'react'
import { buttonClass } from '#ui/buttons/button.tsx'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { useDiffLayout } from '#ui/layout/diff-layout-choice.tsx'

type Page = { exportId: string; path: string }

/** Heights of frames that scroll together. A page of another origin tells Docket neither its height nor its position. */
const heights = {
  '1,000 px': 'h-[1000px]',
  '2,000 px': 'h-[2000px]',
  '4,000 px': 'h-[4000px]',
  '8,000 px': 'h-[8000px]',
  '16,000 px': 'h-[16000px]',
} as const
type Height = keyof typeof heights

const sides = { before: 'Before', after: 'After' } as const
type Side = keyof typeof sides

type PairProps = Record<Side, Page | null> & { Preview: ComponentType<Page> }

/**
 * Previews of a page before and after. Frames of equal height in one scroll container move together; then only the container receives the
 * pointer, so that no page scrolls or navigates on its own. Narrow windows show one preview at a time.
 */
export const PreviewPair = ({ before, after, Preview }: PairProps) => {
  const id = useId()
  const { canChoose: hasRoom } = useDiffLayout()
  const [isWanted, setWanted] = useState(true)
  const [height, setHeight] = useState<Height>('4,000 px')
  const [side, setSide] = useState<Side>('after')
  const pages = { before, after }
  const shown = (['before', 'after'] as const).filter((one) => pages[one] !== null)
  const isPair = shown.length > 1
  const isTogether = isPair && isWanted
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id={id} className="text-base font-semibold">
          {isPair ? 'Previews' : before ? 'Preview of the removed page' : 'Preview of the new page'}
        </h3>
        {isPair && !hasRoom && (
          <PressedButtons label="Preview on screen" options={sides} value={side} onChange={setSide} />
        )}
      </div>
      {isPair && (
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <Switch
            label="Scroll together"
            hint={
              isTogether
                ? 'Choose a height that shows the whole page. To click in a page, turn this off.'
                : 'Each page scrolls by itself.'
            }
            checked={isTogether}
            onChange={setWanted}
          />
          {isTogether && (
            <label className="flex items-center gap-1.5 text-sm text-muted">
              Height
              <select
                value={height}
                onChange={({ target }) => setHeight(target.value as Height)}
                className={`${buttonClass()} appearance-auto pr-1 font-normal`}
              >
                {Object.keys(heights).map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          )}
        </div>
      )}
      <div
        // Focusable, because the keyboard scrolls it.
        {...(isTogether && { role: 'region', 'aria-label': 'Both previews', tabIndex: 0 })}
        className={`panel max-h-[85dvh] ${isTogether ? 'overflow-y-auto' : 'overflow-clip'}`}
      >
        <div className={`grid divide-x divide-line ${isPair && hasRoom ? 'grid-cols-2' : 'grid-cols-1'}`}>
          {shown.map((one) => (
            <figure key={one} className={`min-w-0 ${hasRoom || !isPair || one === side ? '' : 'hidden'}`}>
              <figcaption className="sticky top-0 z-1 border-b border-line bg-sunken px-3 py-1.5 text-xs font-medium">
                {sides[one]}
              </figcaption>
              <div className={isTogether ? `[&_iframe]:pointer-events-none ${heights[height]}` : 'h-[80dvh]'}>
                <Preview {...pages[one]!} />
              </div>
            </figure>
          ))}
        </div>
      </div>
    </section>
  )
}
