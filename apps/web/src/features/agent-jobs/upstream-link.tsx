import type { UpstreamLink as Link } from '@docket/api-types/list'
import { OutsideLink } from '#ui/outside-link.tsx'

/** An address that came from the service: a link with its host when it is safe to follow, its plain text otherwise. */
export const UpstreamLink = ({ link }: { link: Link }) =>
  link.href === null ? (
    <span className="wrap-anywhere">{link.text}</span>
  ) : (
    <span>
      <OutsideLink href={link.href}>{link.label ?? link.host ?? link.text}</OutsideLink>
      {link.host && link.label && <span className="text-muted"> {link.host}</span>}
    </span>
  )
