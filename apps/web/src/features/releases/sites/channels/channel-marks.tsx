import type { Channel } from '@docket/api-types/sites'
import { Globe, Lock, Pause, ShieldCheck, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatInstant } from '#lib/text/format.ts'
import { accessLabels } from '#features/releases/sites/site-labels.ts'

const ChannelMark = ({ icon, hint, children }: { icon: ReactNode; hint?: string; children: ReactNode }) => (
  <span
    title={hint}
    className="inline-flex h-6 items-center gap-1 rounded-full border border-line px-2 text-xs font-medium text-muted [&>svg]:size-3.5"
  >
    {icon}
    {children}
  </span>
)

const accessIcons = {
  private: <Lock aria-hidden="true" />,
  signed_in: <UserCheck aria-hidden="true" />,
  public: <Globe aria-hidden="true" />,
}

export const AccessMark = ({ access }: Pick<Channel, 'access'>) => (
  <ChannelMark icon={accessIcons[access]} hint={accessLabels[access].hint}>
    {accessLabels[access].word}
  </ChannelMark>
)

export const GuardMarks = ({ pinned, isProtected }: Pick<Channel, 'pinned' | 'isProtected'>) => (
  <>
    {pinned && (
      <ChannelMark
        icon={<Pause aria-hidden="true" />}
        hint={[`By ${pinned.by}, ${formatInstant(pinned.at)}.`, pinned.reason].filter(Boolean).join(' ')}
      >
        Held
      </ChannelMark>
    )}
    {isProtected && (
      <ChannelMark icon={<ShieldCheck aria-hidden="true" />} hint="Only admins and people with a grant publish here.">
        Protected
      </ChannelMark>
    )}
  </>
)
