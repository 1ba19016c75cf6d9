import { formatCount } from '#lib/text/format.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { parsePieces, type Piece, type Release } from './release-notes.ts'

const tags = { strong: 'strong', emphasis: 'em', code: 'code' } as const

const Words = ({ text, look }: Piece) => {
  if (look === 'plain') return text
  const Tag = tags[look]
  return <Tag className={look === 'code' ? 'font-mono text-[0.8125rem]' : undefined}>{text}</Tag>
}

const Entry = ({ line }: { line: string }) => (
  <li className="wrap-anywhere">
    {parsePieces(line).map((piece, index) => (
      <Words key={index} {...piece} />
    ))}
  </li>
)

const titleRelease = ({ version }: Release) => version ?? 'Not released yet'

/** Changes of one release, by area. Open from the start where the reader has not read them. */
export const ReleasePanel = ({ release, isNew }: { release: Release; isNew: boolean }) => (
  <Panel
    title={titleRelease(release)}
    action={
      <span className="flex items-center gap-3 text-sm text-muted">
        {release.date}
        {isNew && (
          <span className="rounded-full bg-live-soft px-2 py-0.5 text-xs font-medium text-live">New to you</span>
        )}
      </span>
    }
  >
    {release.areas.map(({ title, entries }, index) => (
      <details key={title} open={isNew && index === 0} className="border-t border-line">
        <summary className="cursor-pointer py-2 text-sm font-medium">
          {title} <span className="ml-1 font-normal text-muted">{formatCount(entries.length)}</span>
        </summary>
        <ul className="mb-3 list-disc space-y-1.5 pl-5 text-sm">
          {entries.map((line) => (
            <Entry key={line} line={line} />
          ))}
        </ul>
      </details>
    ))}
  </Panel>
)
