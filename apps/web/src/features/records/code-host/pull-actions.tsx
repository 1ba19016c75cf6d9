import type { CodeHostAction, CodeHostPull } from '@docket/api-types/code-host'
import { useState, type ComponentProps } from 'react'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { QuestionDialog } from '#ui/overlays/dialog.tsx'
import { useActOnPull } from './code-host.queries.ts'
import { useActRefusal } from './use-act-refusal.ts'

const words: Readonly<Record<CodeHostAction, { done: string; verb: string }>> = {
  merge: { done: 'Merged', verb: 'merge' },
  close: { done: 'Closed', verb: 'close' },
  reopen: { done: 'Reopened', verb: 'reopen' },
  'delete-branch': { done: 'Deleted the branch of', verb: 'delete the branch of' },
}

export const PullActions = ({ pull }: { pull: CodeHostPull }) => {
  const { number, state, mergeability, refusals, branch } = pull
  const { mutateAsync, isPending, variables } = useActOnPull(pull)
  const [isAsking, setAsking] = useState(false)
  const forbidden = useActRefusal()
  const act = (action: CodeHostAction) => {
    setAsking(false)
    const { done, verb } = words[action]
    toastEnd(mutateAsync(action), `${done} #${number}.`, `Could not ${verb} #${number}.`)
  }
  const button = (action: CodeHostAction, label: string, more: Partial<ComponentProps<typeof Button>> = {}) => (
    <Button
      size="md"
      busy={isPending && variables === action}
      refused={forbidden ?? (refusals[action] && revealHiddenCharacters(refusals[action]))}
      onClick={() => act(action)}
      {...more}
    >
      {label}
    </Button>
  )
  const canMerge = mergeability?.canMerge === true
  return (
    <section aria-label="State" className="panel mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
      <p className="flex min-w-0 flex-1 basis-72 items-start gap-2 text-sm">
        <StateMark
          tone={state === 'merged' ? 'done' : state === 'closed' ? 'archived' : canMerge ? 'done' : 'attention'}
          className="mt-0.5 size-4"
        />
        <span className="min-w-0 wrap-anywhere">
          {mergeability && revealHiddenCharacters(mergeability.sentence)}
          {state !== 'open' && (
            <>
              {state === 'merged' ? (
                <>
                  Merged into <code className="font-mono text-xs">main</code>
                </>
              ) : (
                'Closed without a merge'
              )}
              {pull.endedAt && (
                <>
                  {' '}
                  on <Instant at={pull.endedAt} />
                </>
              )}
              .{refusals['delete-branch'] && ` ${refusals['delete-branch']}`}
            </>
          )}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {state === 'open' && button('merge', 'Merge', { variant: 'primary', onClick: () => setAsking(true) })}
        {state === 'open' && button('close', 'Close')}
        {state === 'closed' && button('reopen', 'Reopen')}
        {state !== 'open' && button('delete-branch', 'Delete branch')}
      </div>
      {isAsking && (
        <QuestionDialog
          title={`Merge #${number}?`}
          action="Merge"
          onClose={() => setAsking(false)}
          onConfirm={() => act('merge')}
        >
          <p className="text-muted">
            This puts {pull.changes.total === 1 ? 'the commit' : `the ${pull.changes.total} commits`} of{' '}
            <code className="font-mono text-xs wrap-anywhere text-text">{revealHiddenCharacters(branch)}</code> into{' '}
            <code className="font-mono text-xs text-text">main</code> of{' '}
            <code className="font-mono text-xs wrap-anywhere text-text">{pull.projectId}</code>. You can’t undo it here.
          </p>
        </QuestionDialog>
      )}
    </section>
  )
}
