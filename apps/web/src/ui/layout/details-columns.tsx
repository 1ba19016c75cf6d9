import type { ReactNode } from 'react'

type DetailsColumnsProps = {
  /** Current state, such as progress. May render nothing. */
  story: ReactNode
  facts: ReactNode
  /** The past, such as the history. */
  children?: ReactNode
}

/** Body of a details page. Wide screens show the facts beside the two other parts, narrow ones between them. */
export const DetailsColumns = ({ story, facts, children }: DetailsColumnsProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
    <div className="mb-4 space-y-4 empty:mb-0">{story}</div>
    <div className="mb-4 min-w-0 space-y-4 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:mb-0">{facts}</div>
    <div className="min-w-0 space-y-4">{children}</div>
  </div>
)
