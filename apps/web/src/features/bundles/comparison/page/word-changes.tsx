import type { BlockChange } from '@docket/api-types/comparisons'
import { useState } from 'react'
import { pickSide } from '#features/bundles/comparison/change-labels.ts'
import { formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useDiffLayout } from '#ui/layout/diff-layout-choice.tsx'

const blocksPerStep = 200

type Runs = BlockChange['runs']

export const WordChanges = ({ blocks }: { blocks: readonly BlockChange[] }) => {
  const { layout } = useDiffLayout()
  const [max, setMax] = useState(blocksPerStep)
  const left = blocks.length - max
  if (blocks.length === 0) return <p className="panel px-4 py-3 text-sm text-muted">No words differ.</p>
  return (
    <>
      {layout === 'unified' ? (
        <div className="panel grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-4 sm:px-6">
          {blocks.slice(0, max).map(({ element, runs }, at) => (
            <ChangedBlock key={at} element={element} runs={runs} />
          ))}
        </div>
      ) : (
        <table
          aria-label="Words before and after"
          className="panel w-full table-fixed border-separate border-spacing-0"
        >
          <thead className="text-start text-xs text-muted">
            <tr>
              <th scope="col" className="px-4 py-2 text-start font-medium">
                Before
              </th>
              <th scope="col" className="border-s border-line px-4 py-2 text-start font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {blocks.slice(0, max).map(({ element, runs }, at) => (
              <tr key={at}>
                <BlockSide element={element} runs={pickSide(runs, 'before')} />
                <BlockSide element={element} runs={pickSide(runs, 'after')} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {left > 0 && (
        <p>
          <Button onClick={() => setMax(max + blocksPerStep)}>
            Show {formatPlural(Math.min(left, blocksPerStep), 'more block')} of {formatCount(left)}
          </Button>
        </p>
      )}
    </>
  )
}

const BlockSide = ({ element, runs }: { element: string; runs: Runs }) =>
  runs.length === 0 ? (
    <td className="border-t border-line bg-sunken not-first:border-s" aria-label="Nothing" />
  ) : (
    <td className="border-t border-line px-4 py-2 align-top not-first:border-s">
      <ChangedBlock element={element} runs={runs} />
    </td>
  )

/** Styles of blocks other than paragraphs. They use no heading or list elements, which would appear in this page's outline. */
const looks: Record<string, string> = {
  h1: 'text-lg font-semibold',
  h2: 'text-lg font-semibold',
  h3: 'font-semibold',
  h4: 'font-semibold',
  h5: 'font-semibold',
  h6: 'font-semibold',
  pre: 'rounded-sm bg-sunken px-2 py-1 font-mono text-xs whitespace-pre-wrap',
  li: "ps-4 before:absolute before:-ms-4 before:content-['•'/'']",
}

const ChangedBlock = ({ element, runs }: { element: string; runs: Runs }) => (
  <p dir={element === 'pre' ? 'ltr' : 'auto'} className={`relative text-base wrap-anywhere ${looks[element] ?? ''}`}>
    {runs.map(({ kind, text }, at) =>
      kind === 'same' ? (
        <span key={at}>{revealHiddenCharacters(text)}</span>
      ) : kind === 'added' ? (
        <ins key={at} className="rounded-sm bg-done-soft text-done decoration-2 underline-offset-2">
          <span className="sr-only">[added: </span>
          {revealHiddenCharacters(text)}
          <span className="sr-only">]</span>
        </ins>
      ) : (
        <del key={at} className="rounded-sm bg-failed-soft text-failed">
          <span className="sr-only">[removed: </span>
          {revealHiddenCharacters(text)}
          <span className="sr-only">]</span>
        </del>
      ),
    )}
  </p>
)
