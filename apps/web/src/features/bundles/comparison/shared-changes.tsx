import type { Comparison } from '@docket/api-types/comparisons'
import { useId } from 'react'
import { reveal } from '#lib/text/reveal.ts'
import { formatFileChanges, sharedLabels } from './change-labels.ts'

/** Changes that most pages share, and those of files that are no pages, one line each. */
export const SharedChanges = ({ comparison: { shared, files } }: { comparison: Comparison }) => {
  const id = useId()
  const fileChanges = formatFileChanges(files)
  if (shared.length === 0 && fileChanges === null) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2 text-base font-semibold">
        Across the site
      </h3>
      <dl className="panel divide-y divide-line text-sm">
        {shared.map(({ part, sentence }, at) => (
          <Line key={at} name={sharedLabels[part]} text={reveal(sentence)} />
        ))}
        {fileChanges !== null && <Line name="Other files" text={fileChanges} />}
      </dl>
    </section>
  )
}

const Line = ({ name, text }: { name: string; text: string }) => (
  <div className="flex flex-wrap gap-x-4 px-4 py-2">
    <dt className="w-24 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 flex-1 basis-56 wrap-anywhere">
      <bdi>{text}</bdi>
    </dd>
  </div>
)
