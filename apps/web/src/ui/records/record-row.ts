/** Classes of the list around `recordRow`s; its own width decides how they are laid out. */
export const recordList = 'panel @container divide-y divide-line'

/*
 * Row of a list: five columns, two lines in three columns where these do not fit, or four lines on narrow screens. A compact list has one
 * line, or tighter ones. Its cells have no wrappers, because lists have hundreds of rows.
 */
const row =
  'grid min-h-18 grid-cols-[minmax(0,1fr)_auto_auto] content-center items-center gap-x-4 px-4 py-2.5 ' +
  '@2xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_9.5rem_2rem] ' +
  '@4xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1.2fr)_7rem_11rem_2rem] @4xl:gap-x-5 ' +
  'compact:min-h-11 compact:py-1 compact:@4xl:gap-x-4'

export const recordRow = `${row} compact:@4xl:grid-cols-[minmax(0,1.15fr)_12.5rem_minmax(0,1fr)_7rem_9.5rem_2rem]`

/** Row whose title is a sentence. In a compact list it has no column of checks. */
export const sentenceRow = `${row} compact:@4xl:grid-cols-[minmax(0,1.6fr)_12.5rem_minmax(0,1.3fr)_0_9.5rem_2rem]`

const beside =
  'mt-2 @2xl:mt-0 @4xl:row-span-2 @4xl:row-start-1 compact:mt-0.5 compact:@2xl:mt-0 compact:@4xl:row-span-1'

export const recordCells = {
  title:
    'col-span-2 flex min-w-0 items-baseline gap-x-2 has-data-mark:flex-wrap font-semibold leading-6 @2xl:col-span-1 @2xl:self-end compact:@4xl:self-center',
  state:
    'col-span-3 row-start-2 flex min-w-0 items-center gap-2 text-sm text-muted [&>:last-child:not(:first-child)]:text-xs @2xl:col-span-1 @2xl:self-start ' +
    'compact:@4xl:col-start-2 compact:@4xl:row-start-1 compact:@4xl:self-center compact:@4xl:[&>:last-child:not(:first-child)]:truncate',
  middle: `col-span-3 row-start-3 min-w-0 @2xl:col-span-1 @2xl:col-start-2 @2xl:row-start-1 compact:@4xl:col-start-3 ${beside}`,
  checks: `row-start-4 min-w-0 text-xs text-muted @2xl:col-start-2 @2xl:row-start-2 @4xl:col-start-3 compact:@4xl:col-start-4 ${beside}`,
  action: `col-span-2 col-start-2 row-start-4 max-w-full min-w-0 justify-self-end @2xl:col-span-1 @2xl:col-start-3 @2xl:row-span-2 @2xl:row-start-1 @4xl:col-start-4 compact:@4xl:col-start-5 ${beside}`,
  reason: `col-span-3 row-start-5 min-w-0 @2xl:col-span-1 @2xl:col-start-3 @2xl:row-span-2 @2xl:row-start-1 @4xl:col-start-4 compact:@4xl:col-start-5 ${beside}`,
  menu: 'col-start-3 row-start-1 -my-1 -mr-2 justify-self-end @2xl:col-start-4 @2xl:row-span-2 @2xl:mr-0 @4xl:col-start-5 compact:@4xl:col-start-6 compact:@4xl:row-span-1',
} as const
