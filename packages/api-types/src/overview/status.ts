import { z } from 'zod'
import { Connection, ConnectionState, DeploymentKind } from '#service/connections.ts'

/** State of Docket itself, for the shell of the web app. */
export const Status = z.object({
  version: z.string(),
  /** `local`: the embedded Admin API on real folders of this machine; `connected`: a service configured by the operator. */
  mode: z.enum(['local', 'connected']),
  connection: z.object({
    state: ConnectionState,
    /** Origin of the Admin API, such as `https://api.example.com`. */
    origin: z.string(),
    /** Problem and remedy; null when there is no problem. */
    message: z.string().nullable(),
    /** Since when it is in this state. ISO 8601, UTC. */
    since: z.iso.datetime().nullable(),
    /** Last valid response. ISO 8601, UTC. */
    lastOkAt: z.iso.datetime().nullable(),
  }),
  /** Connections whose records the caller may see; `connection` and `watching` describe the first one. */
  connections: z.array(Connection).default([]),
  deploymentKind: DeploymentKind,
  bundleDelivery: z.enum(['stream', 'redirect']),
  /** True when this service can create agent jobs and take follow-ups. */
  agentJobCreation: z.boolean(),
  /** True while reads are paused; `ConnectionReport` has the details. */
  watching: z.object({
    /** False when the operator allows no polling: only clicks make calls. */
    polls: z.boolean(),
    /** Readable reason why reads are paused; null when they are not. */
    heldBack: z.string().nullable(),
    /** End of the pause. ISO 8601, UTC. */
    until: z.iso.datetime().nullable(),
  }),
  /** Jobs that are being watched right now. */
  active: z.object({ staticExports: z.int(), agentJobs: z.int() }),
  /** Only in `local` mode: the sites that can be exported, and the projects for agent jobs. */
  local: z
    .object({
      domains: z.array(z.string()),
      projectIds: z.array(z.string()),
      /** Whether prompts can be worked on; maintenance orders always can. Missing: yes, as far as is known. */
      agent: z.object({ configured: z.boolean() }).nullish(),
    })
    .nullable(),
  /** Server clock. ISO 8601, UTC. */
  now: z.iso.datetime(),
})
export type Status = z.infer<typeof Status>
