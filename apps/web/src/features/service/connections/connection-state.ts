import type { Connection, DeploymentKind } from '@docket/api-types/connections'
import { isActiveConnection } from '#lib/connections/connections.ts'
import { isolateText } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

/** Texts about the connection. `trouble`: every page shows them. */
export type ConnectionLabels = { tone: Tone; word: string; title: string; remedy: string | null; trouble: boolean }

const troubles: Record<
  Exclude<Connection['state'], 'ok' | 'unknown'>,
  { word: string; title: string; remedy: string; tone: Tone }
> = {
  key_rejected: {
    tone: 'failed',
    word: 'Key rejected',
    title: 'The service rejects the admin key',
    remedy:
      'It has expired, was revoked, or belongs to another service. Put a new one where ADMIN_API_KEY_FILE points.',
  },
  forbidden: {
    tone: 'attention',
    word: 'Not allowed',
    title: 'The service refuses Docket’s calls',
    remedy: 'Static export needs an Enterprise plan. The key may also be read-only or limited to certain addresses.',
  },
  rate_limited: {
    tone: 'attention',
    word: 'Rate limited',
    title: 'The service asked Docket to slow down',
    remedy: 'Docket waits as long as asked, then resumes.',
  },
  unreachable: {
    tone: 'failed',
    word: 'Unreachable',
    title: 'Docket can’t reach the service',
    remedy: 'Docket keeps trying. If this lasts, check the address and the network between Docket and the service.',
  },
  unexpected: {
    tone: 'failed',
    word: 'Unexpected responses',
    title: 'The service returns unexpected responses',
    remedy: 'The address may belong to something else, such as the sign-in page of a proxy. Check ADMIN_API_URL.',
  },
}

const words = { active: 'Active', paused: 'Paused', unusable: 'Cannot be used', gone: 'Removed' }

export const labelConnection = (
  connection: Pick<Connection, 'state' | 'message' | 'kind' | 'use' | 'useReason'>,
): ConnectionLabels => {
  const { state, message, kind } = connection
  const calm = { remedy: null, trouble: false }
  if (!isActiveConnection(connection)) {
    const off = kind === 'embedded' && connection.use === 'gone' ? 'Off' : words[connection.use]
    const word = kind === 'unassigned' ? 'Unassigned' : off
    return { ...calm, tone: 'archived', word, title: connection.useReason ?? word }
  }
  if (state !== 'ok' && state !== 'unknown')
    return { ...troubles[state], remedy: message ?? troubles[state].remedy, trouble: true }
  if (kind === 'embedded') return { ...calm, tone: 'done', word: 'On', title: 'Docket’s own service' }
  return state === 'ok'
    ? { ...calm, tone: 'done', word: 'Connected', title: 'The service responds' }
    : { ...calm, tone: 'waiting', word: 'Not called yet', title: 'No calls to the service yet' }
}

export const deploymentKindLabels: Readonly<Record<DeploymentKind, string>> = {
  cloud: 'Cloud',
  'client-hosted': 'Client-hosted',
  'air-gapped': 'Air-gapped',
}

/** Title with the name of the connection as its subject, for pages with several. */
export const titleWithConnection = (title: string, name: string): string =>
  title.replace(/^The service/u, () => isolateText(name))

/** Host and port of an origin, for narrow places; other text unchanged. */
export const formatHost = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : origin)
