import type { ConnectionReport, Operation } from '@docket/api-types/connection'
import { formatCount, formatRate } from '#lib/text/format.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { Ago } from '#ui/live/ticking.tsx'

const names: Record<Operation, string> = {
  getAgentJob: 'Read an agent job',
  listAgentJobs: 'List the agent jobs of a project',
  createAgentJob: 'Create an agent job',
  sendAgentMessage: 'Send a follow-up',
  cancelAgentJob: 'Cancel an agent job',
  archiveAgentJob: 'Archive an agent job',
  readAgentJobLog: 'Read the log of an agent job',
  startStaticExport: 'Start an export',
  getStaticExport: 'Read an export',
  cancelStaticExport: 'Cancel an export',
  generateBundle: 'Create a bundle link',
}

const took = (ms: number) => (ms < 1000 ? `${formatCount(ms)} ms` : `${formatRate(ms / 1000)} s`)

/** The last answer to each operation of the service. */
export const OperationsList = ({ operations }: Pick<ConnectionReport, 'operations'>) =>
  operations.length === 0 ? (
    <p className="text-sm text-muted">No calls to the service yet.</p>
  ) : (
    <ul className="divide-y divide-line text-sm">
      {operations.map(({ operation, lastAt, lastOkAt, failure, lastMs }) => (
        <li key={operation} className="flex gap-2.5 py-2 first:pt-0 last:pb-0">
          <StateMark tone={failure ? 'failed' : 'done'} className="mt-0.5 size-4" />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">
                {names[operation]}
                <span className="sr-only">{failure ? ': failed' : ': succeeded'}</span>
              </span>
              <span className="text-muted">
                <Ago at={lastAt} />, in {took(lastMs)}
              </span>
            </div>
            {failure && (
              <p className="mt-0.5 text-muted wrap-anywhere">
                {failure.message}{' '}
                {lastOkAt ? (
                  <>
                    Last successful call <Ago at={lastOkAt} />.
                  </>
                ) : (
                  'No successful call yet.'
                )}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
