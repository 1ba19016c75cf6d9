import type { Finding, ArtifactCheck, FindingLevel, Findings } from '@docket/api-types/artifacts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { ApiError, findErrorAt } from '#lib/api/api-error.ts'
import { formatCount, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormActions, FormFailure, TextArea } from '#ui/forms/form.tsx'
import { useTypedText } from '#ui/forms/use-draft.ts'
import { EmptyState, ReadState, Loading } from '#ui/layout/page.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { usePartSearch } from '#ui/list/use-part-search.ts'
import { toastEnd } from '#ui/live/use-write.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { FindingItem, type Refusals } from './finding-item.tsx'
import { levelLabels } from './finding-labels.ts'
import { FindingsFilters } from './findings-filters.tsx'
import { hidesFindings, parseFindingsSearch, findingLevels, type FindingsSearch } from './findings-search.ts'
import { findingsQuery, useTakeBackAcceptance, useAcceptFinding } from './findings.queries.ts'

const maxLength = 500

type AcceptDialogProps = { exportId: string; search: FindingsSearch; finding: Finding; onClose: () => void }

/** Asks why a finding is accepted. The typed reason survives errors, closing and a reload. */
const AcceptDialog = ({ exportId, search, finding, onClose }: AcceptDialogProps) => {
  const [reason, setReason] = useTypedText(`accept-${finding.fingerprint}`)
  const [isMissing, setMissing] = useState(false)
  const { mutate, isPending, error } = useAcceptFinding(exportId, search)
  const submit = () => {
    setMissing(reason.trim() === '')
    if (isPending || reason.trim() === '') return
    mutate(
      { fingerprint: finding.fingerprint, reason },
      {
        onSuccess: () => {
          setReason('')
          toast('Accepted for every export of this site.', { tone: 'done' })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog onClose={onClose} title="Accept this finding?">
      <Form onSubmit={submit} className="grid gap-4">
        <p className="text-sm text-muted">
          <bdi className="line-clamp-4 text-text wrap-anywhere">{revealHiddenCharacters(finding.sentence)}</bdi>
          Docket no longer counts it, in this export or any other of the site.
        </p>
        <TextArea
          label="Reason"
          prose
          required
          maxLength={maxLength}
          data-autofocus
          {...bindText(reason, setReason)}
          error={findErrorAt(error, 'reason') ?? (isMissing && reason.trim() === '' ? 'Enter a reason.' : null)}
          hint="Everyone who sees this export can read it."
        />
        <FormFailure error={error} fields={['reason']} />
        <FormActions submit="Accept finding" busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** Shows that a check did not finish, so that its bundle never looks clean. */
const CheckNotice = ({ check }: { check: ArtifactCheck }) =>
  check.state === 'not_finished' && (
    <Notice tone="attention" title="The check did not finish">
      {check.detail !== null && (
        <>
          <bdi>{revealHiddenCharacters(check.detail)}</bdi>{' '}
        </>
      )}
      There may be more findings than this page shows.
    </Notice>
  )

type SummaryProps = { findings: Findings; search: FindingsSearch; onSearch: (change: Partial<FindingsSearch>) => void }

const FindingsSummary = ({ findings: { check }, search, onSearch }: SummaryProps) => (
  <div role="group" aria-label="Level" className="grid grid-cols-3 gap-2 sm:gap-3">
    {findingLevels.map((level) => {
      const pressed = search.level === level
      return (
        <button
          key={level}
          type="button"
          aria-pressed={pressed}
          onClick={() => onSearch({ level: pressed ? '' : level })}
          className={`panel flex items-start gap-1.5 px-2.5 py-2 text-start transition-colors sm:gap-3 sm:px-4 sm:py-3 ${
            pressed ? 'border-accent! bg-accent-soft!' : 'hover:bg-hover'
          }`}
        >
          <LevelCount level={level} check={check} />
        </button>
      )
    })}
  </div>
)

const LevelCount = ({ level, check }: { level: FindingLevel; check: ArtifactCheck }) => {
  const { word, hint, tone } = levelLabels[level]
  const count = check.findings[level]
  const added = check.added?.[level] ?? 0
  const isClean = count === 0 && check.state === 'finished'
  return (
    <>
      <StateMark
        tone={isClean ? 'done' : count === 0 ? 'waiting' : tone}
        still
        className="mt-1.5 size-4 shrink-0 sm:mt-1 sm:size-5"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-xl font-semibold">
            {formatCount(count)}
            {check.state === 'not_finished' && <span className="text-base font-normal text-muted"> or more</span>}
          </span>
          <span className="font-medium">{word}</span>
          {added > 0 && <span className="text-sm font-medium text-attention">{formatCount(added)} new</span>}
        </span>
        <span className="block text-xs text-muted max-sm:sr-only">{hint}</span>
      </span>
    </>
  )
}

type ListProps = Refusals & { exportId: string; search: FindingsSearch; findings: readonly Finding[] }

const FindingList = ({ exportId, search, findings, ...refusals }: ListProps) => {
  const [asked, setAsked] = useState<Finding | null>(null)
  const takeBack = useTakeBackAcceptance(exportId, search)
  return (
    <>
      <ul className="panel divide-y divide-line">
        {findings.map((finding) => (
          <li key={finding.fingerprint}>
            <FindingItem
              {...{ exportId, finding, ...refusals }}
              page={search.page}
              isOpenAtFirst={findings.length === 1}
              isBusy={takeBack.isPending && takeBack.variables.fingerprint === finding.fingerprint}
              onAccept={() => setAsked(finding)}
              onTakeBack={() => toastEnd(takeBack.mutateAsync(finding), 'The finding counts again.')}
            />
          </li>
        ))}
      </ul>
      {asked && <AcceptDialog {...{ exportId, search }} finding={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

export const FindingsView = ({ exportId, ...refusals }: { exportId: string } & Refusals) => {
  const id = useId()
  const { search, change } = usePartSearch('/exports/$exportId/findings', exportId, parseFindingsSearch)
  const query = useInfiniteQuery(findingsQuery(exportId, search))
  const { data, error, isPlaceholderData } = query
  const first = data?.pages[0]
  if (!first && error instanceof ApiError && error.code === 'not_found') return <NoFindings message={error.message} />
  const findings = data?.pages.flatMap((part) => part.findings) ?? []
  const left = (data?.pages.at(-1)?.total ?? 0) - findings.length
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id={id} className="sr-only">
        Findings
      </h2>
      <ReadState query={query} waiting={<LoadingFindings />} />
      {first && (
        <>
          <CheckNotice check={first.check} />
          <FindingsSummary findings={first} search={search} onSearch={change} />
          <FindingsFilters {...{ exportId, search }} counts={first.counts} total={first.total} onSearch={change} />
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
            {findings.length === 0 ? (
              <NothingFound
                isFinished={first.check.state === 'finished'}
                accepted={first.counts.accepted}
                {...{ search }}
                onSearch={change}
              />
            ) : (
              <FindingList {...{ exportId, search, findings, ...refusals }} />
            )}
            <LoadMore query={query} left={left} />
          </div>
        </>
      )}
    </section>
  )
}

const LoadingFindings = () => (
  <Loading label="Loading findings" className="grid gap-4" lines={['h-20 w-full', 'h-8 w-full', 'h-64 w-full']} />
)

const NoFindings = ({ message }: { message: string }) => (
  <EmptyState panel icon={<ShieldCheck />} title="No check yet">
    {message}
  </EmptyState>
)

type NothingFoundProps = {
  isFinished: boolean
  accepted: number
  search: FindingsSearch
  onSearch: (change: Partial<FindingsSearch>) => void
}

const NothingFound = ({ isFinished, accepted, search, onSearch }: NothingFoundProps) => {
  const filtered = hidesFindings(search)
  if (filtered)
    return (
      <div className="panel px-4 py-10 text-center text-sm text-muted">
        <p className="mb-3">No finding matches these filters.</p>
        <Button onClick={() => onSearch(parseFindingsSearch({}))}>Clear filters</Button>
      </div>
    )
  if (!isFinished)
    return (
      <p className="panel px-4 py-10 text-center text-sm text-muted">Nothing was found before the check stopped.</p>
    )
  return (
    <EmptyState panel icon={<ShieldCheck className="text-done" />} title="Nothing found">
      {accepted > 0
        ? 'Every finding has been accepted.'
        : 'Links, files and requests of every page are within the bundle.'}
    </EmptyState>
  )
}
