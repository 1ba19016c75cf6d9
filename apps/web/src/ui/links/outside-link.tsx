import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type OutsideLinkProps = { href: string; children: ReactNode; className?: string; title?: string }

/**
 * A link from an untrusted source. Another site opens in a new tab without a referrer and without access to this page; a path is a page of
 * Docket, and opens in this one.
 */
export const OutsideLink = ({
  href,
  children,
  title,
  className = 'text-accent underline decoration-1 underline-offset-2 hover:decoration-2',
}: OutsideLinkProps) =>
  href.startsWith('/') ? (
    <Link to={href as '/'} title={title} className={className}>
      {children}
    </Link>
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer" title={title} className={className}>
      {children}
      <ArrowUpRight className="ml-0.5 inline size-3.5 shrink-0 align-[-2px]" aria-hidden="true" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
