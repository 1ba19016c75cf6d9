import type { UpstreamLink as Link } from '@docket/api-types/list'
import { OutsideLink } from '#ui/outside-link.tsx'

/** Address from the service: a link with its host, or plain text if it is unsafe. */
export const UpstreamLink = ({ link }: { link: Link }) =>
  link.href === null ? (
    <span className="wrap-anywhere">{link.text}</span>
  ) : (
    <span>
      <OutsideLink href={link.href}>{link.label ?? link.host ?? link.text}</OutsideLink>
      {link.host && link.label && <span className="text-muted"> {link.host}</span>}
    </span>
  )
