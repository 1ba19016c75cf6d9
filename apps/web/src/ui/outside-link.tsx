import { ArrowUpRight } from 'lucide-react'
import { use, type ReactNode } from 'react'
import { OutsideAddress } from './outside-address.ts'

type OutsideLinkProps = { href: string; children: ReactNode; className?: string; title?: string }

/** A link to another site. Opens in a new tab without a referrer and without access to this page. */
export const OutsideLink = ({
  href,
  children,
  title,
  className = 'text-accent underline decoration-1 underline-offset-2 hover:decoration-2',
}: OutsideLinkProps) => (
  <a href={use(OutsideAddress)(href)} target="_blank" rel="noopener noreferrer" title={title} className={className}>
    {children}
    <ArrowUpRight className="ml-0.5 inline size-3.5 shrink-0 align-[-2px]" aria-hidden="true" />
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
)
