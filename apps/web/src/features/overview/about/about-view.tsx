import type { About } from '@docket/api-types/about'
import { useEffect, useState, type ReactNode } from 'react'
import { packages, releases } from 'virtual:about'
import { formatCount, formatInstant } from '#lib/text/format.ts'
import { Panel, ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { useAbout, useNoteNewsRead } from './about.queries.ts'
import { countNewReleases, parseTextPieces, type Piece, type Release } from './release-notes.ts'

const tags = { strong: 'strong', emphasis: 'em', code: 'code' } as const

const ChangelogText = ({ text, look }: Piece) => {
  if (look === 'plain') return text
  const Tag = tags[look]
  return <Tag className={look === 'code' ? 'font-mono text-[0.8125rem]' : undefined}>{text}</Tag>
}

const ChangelogEntry = ({ line }: { line: string }) => (
  <li className="wrap-anywhere">
    {parseTextPieces(line).map((piece, index) => (
      <ChangelogText key={index} {...piece} />
    ))}
  </li>
)

const titleRelease = ({ version }: Release) => version ?? 'Not released yet'

const ReleasePanel = ({ release, isNew }: { release: Release; isNew: boolean }) => (
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
            <ChangelogEntry key={line} line={line} />
          ))}
        </ul>
      </details>
    ))}
  </Panel>
)

const VersionFacts = ({ about: { version, build, upgradedAt, host } }: { about: About }) => (
  <Panel title="This Docket">
    <Facts>
      <Fact name="Version">{version}</Fact>
      <Fact name="Build">
        <code className="font-mono text-[0.8125rem]">{build}</code>
      </Fact>
      <Fact name="Upgraded">{upgradedAt !== null && formatInstant(upgradedAt)}</Fact>
      {host && (
        <>
          <Fact name="Started">{formatInstant(host.startedAt)}</Fact>
          <Fact name="Node">{host.node}</Fact>
          <Fact name="PostgreSQL">{host.postgres}</Fact>
          <Fact name="Platform">{host.platform}</Fact>
        </>
      )}
    </Facts>
    <p className="mt-4 text-sm text-muted">Docket never asks anyone for updates. The people who run it bring them.</p>
  </Panel>
)

const ReleaseNews = ({ about, onRead }: { about: About; onRead: () => void }) => {
  // The marks for new entries stay while the reader is on this page.
  const [count] = useState(() => countNewReleases(releases, about.lastRead))
  const { lastRead } = about
  useEffect(() => {
    if (lastRead !== null) onRead()
  }, [lastRead, onRead])
  return (
    <section aria-label="What’s new" className="space-y-4">
      {releases.map((release, index) => (
        <ReleasePanel key={release.version} release={release} isNew={index < count} />
      ))}
    </section>
  )
}

const LicenceList = () => (
  <Panel title="Licences">
    <p className="text-sm text-muted">Docket is under the MIT licence, and contains the work of others:</p>
    <details className="mt-2 border-t border-line">
      <summary className="cursor-pointer py-2 text-sm font-medium">
        Packages <span className="ml-1 font-normal text-muted">{formatCount(packages.length)}</span>
      </summary>
      <ul className="text-sm">
        {packages.map(({ name, version, licence }) => (
          <li key={`${name}@${version}`} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {name} <span className="text-muted">{version}</span>
            </span>
            <span>{licence}</span>
          </li>
        ))}
      </ul>
    </details>
  </Panel>
)

export const AboutView = ({ version, processes }: { version: string | undefined; processes: ReactNode }) => {
  const query = useAbout(version)
  const { data } = query
  const noteRead = useNoteNewsRead(version)
  return (
    <div className="space-y-4">
      <ReadState query={query} waiting={<Skeleton className="h-48 w-full" />} />
      {data && (
        <>
          <VersionFacts about={data} />
          {processes}
          <ReleaseNews key={data.version} about={data} onRead={noteRead} />
        </>
      )}
      <LicenceList />
    </div>
  )
}
