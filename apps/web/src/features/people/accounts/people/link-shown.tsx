import type { OneTimeLink } from '@docket/api-types/accounts'
import { SecretPanel } from '#ui/copying/secret-panel.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'

/** True for a loopback address, which always means the machine that opens it. */
const isLoopback = (url: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** Shows a one-time link; only its hash is stored. */
export const OneTimeLinkPanel = ({ link, whose, onDone }: { link: OneTimeLink; whose: string; onDone: () => void }) => (
  <SecretPanel what="link" text={link.url} onDone={onDone}>
    <Notice tone="attention" title={`Send this link to ${whose}`}>
      Docket doesn’t send it for you. Anyone with the link can use it once, until <Instant at={link.expiresAt} />. It is
      shown only now.
    </Notice>
    {isLoopback(link.url) && (
      <p className="text-sm text-muted">
        It only works on this computer, like this Docket. To let other computers in, run Docket behind an HTTPS proxy
        and set <code className="font-mono text-text">PUBLIC_URL</code>.
      </p>
    )}
  </SecretPanel>
)
