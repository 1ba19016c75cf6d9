import { Skeleton } from '#ui/skeleton.tsx'

/** Placeholders of the first rows. */
export const LoadingRows = ({ label }: { label: string }) => (
  <ul className="panel divide-y divide-line" aria-busy="true" aria-label={label}>
    {[0, 1, 2].map((line) => (
      <li key={line} className="flex min-h-18 items-center gap-8 px-4 py-3">
        <div className="flex-1 space-y-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3.5 w-28" />
        </div>
        <Skeleton className="hidden h-1.5 flex-1 md:block" />
        <Skeleton className="h-8 w-24" />
      </li>
    ))}
  </ul>
)
