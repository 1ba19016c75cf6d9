import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'

type LoadMoreProps = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  /** Number of rows that are not loaded yet, where it is known. */
  left?: number
}

/** The button below a list that has further pages. */
export const LoadMore = ({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, left }: LoadMoreProps) =>
  hasNextPage &&
  (left === undefined || left > 0) && (
    <p className="mt-4 text-center">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {left === undefined ? 'Load more' : `Load more of ${formatCount(left)}`}
      </Button>
    </p>
  )
