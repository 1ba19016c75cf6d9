import type { ComponentProps } from 'react'
import { printHelpAddress } from '#lib/address/help-address.ts'

export const HelpLink = ({ page, children, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { page: string }) => (
  <a
    className="text-accent underline decoration-1 underline-offset-2 hover:decoration-2"
    {...rest}
    href={printHelpAddress(page)}
    target="_blank"
    rel="noopener"
  >
    {children}
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
)
