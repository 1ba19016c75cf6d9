import type { Gate } from '@docket/api-types/gates'
import type { Channel, Site } from '@docket/api-types/sites'
import type { ReactNode } from 'react'

/** Shown below a gate that waits for approvals: asks others, or approves. `note` is what was typed in the dialog. */
export type ApprovalsSlot = (context: { site: Site; channel: Channel; gate: Gate; note: string }) => ReactNode
