import type { ReactNode } from 'react'
import { CopyButton } from '#ui/copying/copy-button.tsx'

type CopiedProps = { text: string; label: string; small?: boolean }

export const CopyableFact = ({ text, label, small = false }: CopiedProps) => (
  <span className="inline-flex max-w-full items-center gap-1">
    <code className="min-w-0 font-mono text-xs wrap-anywhere">{text}</code>
    <CopyButton text={text} label={label} small={small} />
  </span>
)

/** A large number with its name, and what it is counted of. */
export const Figure = ({ name, sample, children }: { name: string; sample?: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd>
      <span className="block text-lg font-semibold tabular-nums">{children ?? '–'}</span>
      {sample && <span className="block text-xs text-muted">{sample}</span>}
    </dd>
  </div>
)

export const Facts = ({ children }: { children: ReactNode }) => (
  <div className="@container">
    <dl className="grid grid-cols-[minmax(5.5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm @xl:grid-cols-[repeat(2,minmax(5.5rem,max-content)_minmax(0,1fr))]">
      {children}
    </dl>
  </div>
)

export const Fact = ({ name, children }: { name: string; children: ReactNode }) =>
  children === null || children === undefined || children === false || children === '' ? null : (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
