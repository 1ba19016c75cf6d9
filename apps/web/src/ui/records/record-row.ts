/** Classes of the list around `recordRow`s; its own width decides how they are laid out. */
export const recordList = 'panel @container divide-y divide-line'

/*
 * Row of a list: one line of 48 px; two lines below 35 rem. Between, facts that have no column of their own stand in pairs. Its cells have
 * no wrappers, because lists have hundreds of rows.
 */
const row =
  'grid min-h-12 grid-cols-[auto_minmax(0,1fr)_auto_2rem] content-center items-center gap-x-2 px-3 py-1.5 text-sm ' +
  '@min-[35rem]:gap-x-3 @min-[35rem]:px-4 @min-[35rem]:py-1 '

const columns =
  '@min-[35rem]:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1fr)_9rem_2rem] ' +
  '@5xl:grid-cols-[minmax(0,1.3fr)_8rem_minmax(0,1fr)_7.5rem_6rem_9rem_2rem]'
const sentenceColumns =
  '@min-[35rem]:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_8rem_7rem_2rem] ' +
  '@5xl:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_9rem_9rem_2rem]'

export const recordRow = row + columns

/** Row whose title is a sentence. */
export const sentenceRow = row + sentenceColumns

const head = 'hidden gap-x-3 px-[1.0625rem] pb-1 text-xs text-muted '
export const recordHead = `${head} ${columns} @5xl:grid`
export const sentenceHead = `${head} ${sentenceColumns} @min-[35rem]:grid`

const middle = 'row-start-2 min-w-0 @max-[35rem]:text-xs @min-[35rem]:row-start-1 @5xl:row-span-2'
const both = 'row-start-2 row-span-2 min-w-0 @min-[35rem]:row-start-1'
const clamped = 'line-clamp-2 text-xs wrap-anywhere'

export const recordCells = {
  title:
    'col-span-3 row-start-1 flex min-w-0 items-baseline gap-x-2 text-base font-semibold @min-[35rem]:col-span-1 @min-[35rem]:row-span-2',
  state: `${both} col-start-1 @min-[35rem]:col-start-2 @min-[35rem]:row-span-1 @5xl:row-span-2`,
  figures: `${middle} col-start-2 truncate text-muted @min-[35rem]:col-start-3`,
  reason: `${both} ${clamped} col-start-2 text-muted @min-[35rem]:col-start-3 @5xl:col-span-2`,
  findings:
    'col-start-2 row-start-2 min-w-0 truncate @min-[35rem]:col-start-3 @5xl:col-start-4 @5xl:row-start-1 @5xl:row-span-2',
  started:
    'col-start-2 row-start-3 min-w-0 truncate text-xs text-muted @min-[35rem]:row-start-2 @5xl:col-start-5 @5xl:row-start-1 @5xl:row-span-2 @5xl:text-sm',
  action: `${both} col-span-2 col-start-3 max-w-full justify-self-end @min-[35rem]:col-span-1 @min-[35rem]:col-start-4 @5xl:col-start-6`,
  readOnly: `${both} ${clamped} col-span-2 col-start-3 max-w-40 @min-[35rem]:col-span-1 @min-[35rem]:col-start-4 @5xl:col-start-6`,
  menu: 'col-start-4 row-start-1 justify-self-end @min-[35rem]:col-start-5 @min-[35rem]:row-span-2 @5xl:col-start-7',
} as const

export const sentenceCells = {
  title: 'col-span-2 row-start-1 flex min-w-0 items-baseline gap-x-2 text-base font-semibold @min-[35rem]:col-span-1',
  state:
    'col-span-2 col-start-1 row-start-2 flex min-w-0 items-center gap-x-2 @min-[35rem]:col-span-1 @min-[35rem]:col-start-2 @min-[35rem]:row-start-1',
  action:
    'col-span-2 col-start-3 row-start-2 max-w-full min-w-0 justify-self-end @min-[35rem]:col-span-1 @min-[35rem]:row-start-1 @min-[35rem]:justify-self-start',
  checks: `${clamped} hidden text-muted @min-[35rem]:col-start-3 @min-[35rem]:row-start-1 @min-[35rem]:[display:-webkit-box]`,
  started:
    'col-start-3 row-start-1 min-w-0 truncate text-xs text-muted @max-[35rem]:max-w-20 @min-[35rem]:col-start-4 @min-[35rem]:text-sm',
  menu: 'col-start-4 row-start-1 justify-self-end @min-[35rem]:col-start-5',
} as const
