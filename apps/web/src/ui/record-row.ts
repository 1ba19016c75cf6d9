/** The list around `recordRow`s; its own width decides how they are laid out. */
export const recordList = 'panel @container divide-y divide-line'

/** A row of a list: five columns when there is room; three lines with the action below when there is not. */
export const recordRow =
  'grid min-h-18 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 gap-y-2 px-4 py-2.5 ' +
  '@4xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1.2fr)_7rem_10rem_2rem] @4xl:gap-x-5'

/** The places in a `recordRow`. */
export const recordCells = {
  name: 'col-span-2 min-w-0 @4xl:col-span-1',
  middle: 'col-span-3 row-start-2 min-w-0 @4xl:col-span-1 @4xl:col-start-2 @4xl:row-start-1',
  checks: 'row-start-3 min-w-0 text-xs text-muted @4xl:col-start-3 @4xl:row-start-1',
  action:
    'col-span-2 col-start-2 row-start-3 flex min-w-0 justify-end @4xl:col-span-1 @4xl:col-start-4 @4xl:row-start-1',
  menu: 'col-start-3 row-start-1 -mr-2 flex justify-end self-start @4xl:col-start-5 @4xl:mr-0 @4xl:self-center',
} as const
